/** HEAD is what a GET would answer, without its body, and without anything that the GET would do. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { bodies } from '../support/bodies.ts'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { subAccountOf } from './assumptions/sending.ts'

const bench = useBench()
const api = '/api/sandbox/v1'
const everythingOn = { 'unlisted-operations': 'on', 'refresh-token': 'on' }

/** All that a world holds, but for its journal. */
async function state(world: TestWorld) {
  return Promise.all(
    ['/payments', '/wallets', '/ledger', '/callbacks', '/scenario/hits', '/clock'].map((path) =>
      world.control('GET', path),
    ),
  )
}

async function allocated(world: TestWorld): Promise<string> {
  const { uuid } = await subAccountOf(world)
  const funds = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20 }
  return (await world.post(`${api}/allocations/new`, funds)).body.data.requestId
}

const head = async (world: TestWorld, path: string) =>
  world.raw('HEAD', path, { headers: { authorization: `Bearer ${await world.token()}`, 'device-id': 'd' } })

it('does not cancel an allocation', async () => {
  const world = await bench.world()
  const path = `${api}/allocations/single/cancel?allocationId=${await allocated(world)}`
  const before = await state(world)
  expect(await head(world, path)).toMatchObject({ status: 200, text: '' })
  expect(await state(world)).toEqual(before)
  expect((await world.get(path)).status).toBe(200)
  expect(await head(world, path)).toMatchObject({ status: 400, text: '' })
})

it('counts neither as a read nor as a turn of a fault', async () => {
  const world = await bench.world({
    scenario: {
      name: 'second-look',
      description: 'A payout ends when it is looked at for the second time.',
      rules: [{ name: 'looked at', on: 'send-money', then: { until: { poll: 2 }, end: 'SUCCESS' } }],
      faults: [{ name: 'busy', on: 'getSendMoneyStatus', nth: 1, then: { status: 503 } }],
    },
  })
  const requestId = await bench.pay(world)
  const path = `${api}/send-money/single?requestId=${requestId}&companyId=${world.companyId}`
  for (let look = 0; look < 3; look++) expect((await head(world, path)).status).toBe(200)
  expect((await world.get(path)).body.data.status).toBe('PENDING')
  const status = `${api}/send-money/status?requestId=${requestId}`
  expect((await head(world, status)).status).toBe(503)
  expect((await world.get(status)).status).toBe(503)
  expect((await world.get(status)).status).toBe(200)
})

it('changes nothing on any route, and is answered as GET is; at the control plane to its end, and follows nothing', async () => {
  const world = await bench.world({ ...assuming(everythingOn), record: true })
  const allocationId = await allocated(world)
  const requestId = await bench.pay(world)
  const session = await world.post(`${api}/checkout-sessions`, bodies.checkout(bench.receiver.url()))
  await world.control('POST', '/snapshots', { name: 'before' })
  await world.advance('1m')
  const query = `requestId=${requestId}&companyId=${world.companyId}&parentOrganisationId=${world.companyId}&allocationId=${allocationId}`
  const before = await state(world)
  for (const { method, path } of paymentsService.operations) {
    const answer = await head(world, `${path.replace('{checkoutSessionId}', requestId)}?${query}`)
    expect([path, answer.text]).toEqual([path, ''])
    if (method !== 'get') expect([path, answer.status]).toEqual([path, 405])
    expect(await state(world)).toEqual(before)
  }
  const page = new URL(session.body.checkoutUrl).pathname.replace(/^\/w\/[^/]+/, '')
  const { operations } = await world.control('GET', '/')
  const names: Record<string, string> = { phone: '254712345678', name: 'before' }
  const routes = (operations as string[])
    .filter((line) => line.startsWith('GET '))
    .map((line) => line.slice(4).replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? requestId))
  const followed = ['/_mfano/events', `${page}/events`]
  expect(routes).toContain(followed[0])
  const { inside } = world
  for (const path of [...routes, page, `${page}/events`, '/docs', '/openapi.json']) {
    const answer = await fetch(world.baseUrl + path, { method: 'HEAD', redirect: 'manual' })
    expect([path, answer.status < 500, await answer.text()]).toEqual([path, true, ''])
    expect([path, inside.feed.count('stream'), inside.feed.count('payer')]).toEqual([path, 0, 0])
    if (followed.includes(path))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  }
  expect(await state(world)).toEqual(before)
  await expect.poll(() => inside.idle, { timeout: 60_000 }).toBe(true)
})
