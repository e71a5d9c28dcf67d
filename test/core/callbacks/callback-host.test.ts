/** mfano in a container: localhost in a callbackUrl is the machine outside, by whatever name it has here. */
import { expect, it } from 'vitest'
import { callbackHostOf } from '../../../src/hosts/node/simulator.ts'
import { order, SEND_MONEY } from '../../http/faults/support.ts'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const bench = useBench({ settings: ['--callback-host', '127.0.0.1'] })

it('sends callbacks for localhost to MFANO_CALLBACK_HOST, and says where they went', async () => {
  const world = await bench.world()
  const { port } = new URL(bench.receiver.url())
  const callbackUrl = `http://localhost:${port}/callback?shop=1`
  await world.post(SEND_MONEY, order(bench, { callbackUrl }))
  await world.advance('2s')
  const { url, tries } = await world.control('GET', '/callbacks/1')
  const sentTo = `http://127.0.0.1:${port}/callback?shop=1`
  expect([url, tries[0].url, tries[0].status]).toEqual([callbackUrl, sentTo, 200])
})

it.each([
  ['of a world', (id: string) => `/w/${id}/_mfano/inbox/shop`],
  ['with an answer of its own', (id: string) => `/w/${id}/_mfano/inbox/shop?answer=202`],
  ['of another world', () => '/_mfano/inbox/shop'],
])('reaches an inbox %s, although the port that a container publishes is another one', async (_, path) => {
  const world = await bench.world()
  for (const port of ['1', new URL(bench.simulator.baseUrl).port])
    await world.post(SEND_MONEY, order(bench, { callbackUrl: `http://localhost:${port}${path(world.id)}` }))
  await world.advance('2s')
  const { callbacks } = await world.control('GET', '/callbacks')
  expect(callbacks.map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
})

it('takes one name as it is, and of several the first that resolves', async () => {
  expect(await callbackHostOf('not-yet-known.invalid')).toBe('not-yet-known.invalid')
  expect(await callbackHostOf('none.invalid, localhost,127.0.0.1')).toBe('localhost')
  expect(await callbackHostOf('none.invalid,nor.invalid')).toBeUndefined()
  expect(await callbackHostOf(undefined)).toBeUndefined()
})

it('looks there for localhost, too', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const { port } = new URL(bench.receiver.url())
  expect(await world.control('POST', '/doctor', { url: `http://localhost:${port}/callback` })).toMatchObject({
    ok: true,
    sentTo: `http://127.0.0.1:${port}/callback`,
    from: { callbackHost: '127.0.0.1' },
  })
})
