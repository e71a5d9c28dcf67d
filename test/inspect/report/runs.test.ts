/** Runs: what was tested under a name, from its beginning to its end. */
import { expect, it } from 'vitest'
import type { RunReport } from '../../../src/inspect/run-report.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

const bench = useBench()

const tested = (world: TestWorld, run?: string): Promise<RunReport> =>
  world.control('GET', `/report${run === undefined ? '' : `?run=${encodeURIComponent(run)}`}`)

/** Two rules of its own, of which a payment of 77 meets the first. */
const scenario = {
  name: 'seventy-seven',
  description: 'Seventy-seven fails.',
  rules: [
    { name: 'seventy-seven', on: 'send-money', when: 'request.amount == 77', then: { after: '2s', end: 'FAILED' } },
    { name: 'never', on: 'send-money', when: 'request.amount == 12345', then: { after: '2s', end: 'FAILED' } },
  ],
}

it('covers what came behind its beginning and not behind its end, though the clock stands still', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'before' })
  const begun = await world.control('POST', '/runs', { name: 'payday', note: 'Sprint 14' })
  expect(begun).toMatchObject({ id: 1, name: 'payday', note: 'Sprint 14', endedAt: null, payments: 0, requests: 0 })
  await bench.pay(world, { referenceId: 'within' })
  expect((await world.post('/api/sandbox/v1/till', {})).status).toBe(400)
  await world.control('POST', '/runs/payday/end')
  await bench.pay(world, { referenceId: 'behind' })
  await world.advance('1m')

  const { counts, operations, refusals, outcomes, until, coverage } = await tested(world, 'payday')
  expect(counts.payments).toEqual({ all: 1, well: 1, bad: 0, open: 0, repeated: 0 })
  expect(counts.requests).toEqual({ all: 2, refused: 1 })
  expect(operations.map(({ operation }) => operation).sort()).toEqual(['createSendMoney', 'createTillPayment'])
  expect(refusals).toMatchObject([{ operation: 'createTillPayment', status: 400, code: 'REQ_MISSING_FIELD', count: 1 }])
  expect(outcomes).toMatchObject([{ kind: 'send-money', status: 'SUCCESS', count: 1, amount: 100, currency: 'KES' }])
  expect(until).not.toBeNull()
  expect(coverage.operations.hit).toHaveLength(2)
  expect((await tested(world)).counts.payments.all).toBe(3)
  const { payments, refused } = await world.control('GET', '/report?run=payday')
  expect([payments.length, refused.length]).toEqual([1, 1])
})

it('ends with the next, and is found by name, number and as the last', async () => {
  const world = await bench.world()
  await world.control('POST', '/runs', { name: 'first' })
  await world.control('POST', '/runs', { name: 'second' })
  const { runs } = await world.control('GET', '/runs')
  expect(runs).toMatchObject([
    { id: 2, name: 'second', endedAt: null },
    { id: 1, name: 'first', endedAt: expect.any(String) },
  ])
  for (const named of ['2', 'second', 'last']) expect((await tested(world, named)).title).toBe('second')
  const unknown = await world.raw('GET', '/_mfano/report?run=secnod')
  expect(unknown.status).toBe(404)
  expect(unknown.body.error.details).toContain('Did you mean "second"?')
  expect(await world.control('DELETE', '/runs/first')).toEqual({ removed: 1 })
  expect((await world.control('GET', '/runs')).runs).toHaveLength(1)
})

it('tells what fired in it, what never did, and each scenario that was in force', async () => {
  const world = await bench.world({ scenario })
  await bench.pay(world, { amount: 77 })
  await world.control('POST', '/runs', { name: 'failing' })
  await bench.pay(world, { amount: 77, referenceId: 'salary-77' })
  await bench.pay(world, { amount: 77 })
  await world.advance('1m')
  const { fired, verdict, problems, failed } = await tested(world, 'failing')
  expect(fired.map(({ name, hits }) => [name, hits])).toEqual([
    ['seventy-seven', 2],
    ['never', 0],
  ])
  expect(fired[1]?.why).toContain('request.amount == 12345')
  expect(failed[0]).toMatchObject({ referenceId: 'salary-77', amount: 77, status: 'FAILED' })
  expect(failed[0]?.reason).toMatchObject({ by: 'rule', name: 'seventy-seven' })
  expect([verdict, problems]).toEqual(['unjudged', [{ code: 'idle', level: 'warning', count: 1 }]])

  await world.control('PUT', '/scenario', { ...scenario, name: 'flat', assumptions: { 'error-body': 'flat' } })
  await bench.pay(world, { amount: 77 })
  const { scenarios, fired: all } = await tested(world, 'failing')
  expect(scenarios).toMatchObject([
    { scenario: 'seventy-seven', assumptions: [] },
    { scenario: 'flat', assumptions: [{ id: 'error-body', value: 'flat', default: 'nested' }] },
  ])
  expect(all.filter(({ hits }) => hits > 0).map((one) => [one.scenario, one.hits])).toEqual([
    ['seventy-seven', 2],
    ['flat', 1],
  ])
  expect((await tested(world)).fired[0]).toMatchObject({ scenario: 'seventy-seven', hits: 3 })
})

it('keeps the comparison of books that was made in it', async () => {
  const world = await bench.world()
  await world.control('POST', '/runs', { name: 'compared' })
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('1m')
  await world.control('POST', '/reconcile', { books: [] })
  await world.control('POST', '/runs', { name: 'other' })
  await world.control('POST', '/reconcile', {
    books: [{ reference: 'salary-1', kind: 'send-money', amount: 100, currency: 'KES', status: 'SUCCESS' }],
  })
  const { verdict, compared } = await tested(world, 'compared')
  expect(verdict).toBe('failed')
  expect(compared?.findings).toMatchObject([{ code: 'paid_unknown', reference: 'salary-1' }])
  expect((await tested(world, 'other')).compared?.findings).toEqual([])
})

it('tells callbacks that nobody took from those that went wrong on purpose', async () => {
  const world = await bench.world()
  bench.receiver.answer = ({ path }) => (path === '/broken' ? 500 : 200)
  await bench.pay(world, { callbackUrl: bench.receiver.url('/broken'), referenceId: 'lost' })
  await bench.pay(world)
  await world.control('POST', '/clock/settle', { within: '30d' })
  const { counts, addresses, givenUp, verdict } = await tested(world)
  expect(counts.callbacks).toMatchObject({ all: 2, delivered: 1, failed: 1, retried: 1, givenUp: 1 })
  expect(addresses.find(({ url }) => url.endsWith('/broken'))).toMatchObject({ delivered: 0, givenUp: 1 })
  expect(givenUp).toMatchObject([
    { about: { referenceId: 'lost' }, lastAttempt: { error: expect.stringContaining('500') } },
  ])
  expect(verdict).toBe('failed')
})

it('goes on in a fork, and survives a restart', async () => {
  const directory = dataDirectory()
  const first = await startOn(directory)
  const world = first.world('default')
  await world.control('POST', '/runs', { name: 'long' })
  await world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 100 })
  await first.close()

  const second = await startOn(directory)
  const again = second.world('default')
  await again.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 100 })
  expect((await again.control('GET', '/runs')).runs).toMatchObject([{ payments: 2, endedAt: null }])
  await fetch(`${second.baseUrl}/_mfano/worlds`, { method: 'POST', body: '{"id":"fork","from":"default"}' })
  expect((await second.world('fork').control('GET', '/runs')).runs).toMatchObject([{ payments: 2, endedAt: null }])
  await second.close()
})
