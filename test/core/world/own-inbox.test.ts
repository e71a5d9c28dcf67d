import { expect, test } from 'vitest'
import { payoutTo } from '../../support/bodies.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { startOn } from '../../support/restart.ts'

// A world's inbox is its own in every copy: what waited for the original's comes to the copy's. A merchant's address stays.

const bench = useBench()

const told = async (world: TestWorld, inbox: string) =>
  (await world.control('GET', `/inbox/${inbox}`)).messages.map(
    ({ body }: { body: { requestId: string } }) => body.requestId,
  )
const inbox = (world: TestWorld, name: string) => `${world.baseUrl}/_mfano/inbox/${name}`

test('a fork tells its own inbox what was due to that of the original, and shows the address as it was given', async () => {
  const original = await bench.world({ id: 'original' })
  const callbackUrl = `${inbox(original, 'payroll')}?answer=500,200`
  const uuid = await bench.pay(original, { callbackUrl })
  const fork = await bench.world({ id: 'fork', from: 'original' })
  await fork.advance('1h')
  expect(await told(original, 'payroll')).toEqual([])
  expect(await told(fork, 'payroll')).toEqual([uuid, uuid])
  const { callbacks } = await fork.control('GET', '/callbacks')
  expect(callbacks).toMatchObject([{ url: callbackUrl, state: 'delivered', attempts: 2 }])
  const { tries } = await fork.control('GET', `/callbacks/${callbacks[0].id}`)
  expect(tries.map(({ url, status }: { url: string; status: number }) => [url, status])).toEqual([
    [`${inbox(fork, 'payroll')}?answer=500,200`, 500],
    [`${inbox(fork, 'payroll')}?answer=500,200`, 200],
  ])

  await original.advance('1h')
  expect(await told(original, 'payroll')).toEqual([uuid, uuid])
  expect(await told(fork, 'payroll')).toHaveLength(2)
})

test('so do a fork of a fork, and a world that another one is restored to; an inbox of anybody else is that one', async () => {
  const original = await bench.world({ id: 'original' })
  const other = await bench.world({ id: 'other' })
  const uuid = await bench.pay(original, { callbackUrl: inbox(original, 'payroll') })
  const toOther = await bench.pay(original, { callbackUrl: inbox(other, 'payroll') })
  const toMerchant = await bench.pay(original, { callbackUrl: bench.receiver.url('/merchant/_mfano/inbox/payroll') })
  await original.control('POST', '/snapshots', { name: 'due' })
  await bench.world({ id: 'fork', from: 'original' })
  const second = await bench.world({ id: 'second', from: 'fork' })
  const restored = await bench.world({ id: 'restored' })
  await restored.control('POST', '/snapshots/due/restore?world=original')
  for (const world of [second, restored]) {
    await world.advance('1h')
    expect(await told(world, 'payroll')).toEqual([uuid])
  }
  expect(await told(original, 'payroll')).toEqual([])
  expect(await told(other, 'payroll')).toEqual([toOther, toOther])
  expect(bench.receiver.at('/merchant/_mfano/inbox/payroll').map(({ requestId }) => requestId)).toEqual([
    toMerchant,
    toMerchant,
  ])
})

test('a world that came as a file tells the inbox that it has where it is now, that at the plain base URL too', async () => {
  const elsewhere = await startOn(':memory:')
  elsewhere.worlds.create({ id: 'shop', clock: { mode: 'frozen', startUs: Date.parse(`${START}Z`) * 1000 } })
  const shop = elsewhere.world('shop')
  const pay = (callbackUrl: string) => shop.post('/api/sandbox/v1/send-money', payoutTo(callbackUrl))
  const { requestId } = (await pay(`${elsewhere.baseUrl}/w/shop/_mfano/inbox/payroll`)).body.data
  const bring = async (from: string, to: string) => {
    const file = await (await fetch(`${from}/file`)).arrayBuffer()
    expect((await fetch(`${to}/file`, { method: 'PUT', body: file })).status).toBeLessThan(300)
  }
  // From one name to the same elsewhere, and from there to the world that has no name in its address.
  const here = await startOn(':memory:')
  await bring(`${elsewhere.baseUrl}/_mfano/worlds/shop`, `${here.baseUrl}/_mfano/worlds/shop`)
  await bring(`${here.baseUrl}/_mfano/worlds/shop`, `${here.baseUrl}/_mfano/worlds/default`)
  await elsewhere.close()
  for (const id of ['shop', 'default']) await here.world(id).control('POST', '/callbacks/resume')
  expect(await here.world('shop').advance('1h')).toMatchObject({ callbacks: { delivered: 1, failed: 0 } })
  expect(await told(here.world('shop'), 'payroll')).toEqual([requestId])
  expect(await told(here.world('default'), 'payroll')).toEqual([])
  expect(await here.world('default').advance('1h')).toMatchObject({ callbacks: { delivered: 1, failed: 0 } })
  expect(await told(here.world('default'), 'payroll')).toEqual([requestId])

  // And from the plain base URL to a world with a name.
  await here.world('default').control('POST', '/reset')
  const plain = await startOn(':memory:')
  await bring(`${here.baseUrl}/_mfano/worlds/default`, `${plain.baseUrl}/_mfano/worlds/named`)
  const examined = await plain
    .world('named')
    .control('POST', '/doctor', { url: `${here.baseUrl}/_mfano/inbox/payroll` })
  expect(examined).toMatchObject({ ok: true, sentTo: `${plain.baseUrl}/w/named/_mfano/inbox/payroll` })
})
