/** Runs: what was tested under a name, from its beginning to its end. */
import { expect, it } from 'vitest'
import type { RunReport } from '../../../src/inspect/run-report.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

const bench = useBench()

const tested = (world: TestWorld, run?: string): Promise<RunReport> =>
  world.control('GET', `/report${run === undefined ? '' : `?run=${encodeURIComponent(run)}`}`)

/** The rows of a list, by the names of its columns. */
function rowsOf({ sections }: RunReport, name: string) {
  const { columns = [], rows = [] } = sections.find((section) => section.name === name) ?? {}
  return rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])))
}

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

  const report = await tested(world, 'payday')
  expect(report.counts.payments).toEqual({ all: 1, well: 1, bad: 0, open: 0, repeated: 0 })
  expect(report.counts.requests).toEqual({ all: 2, refused: 1 })
  const operations = rowsOf(report, 'operations').map(({ operation }) => operation)
  expect(operations.sort()).toEqual(['createSendMoney', 'createTillPayment'])
  expect(rowsOf(report, 'refusals')).toMatchObject([{ status: 400, code: 'REQ_MISSING_FIELD', requests: 1 }])
  expect(rowsOf(report, 'outcomes')).toMatchObject([{ status: 'SUCCESS', payments: 1, amount: 100, currency: 'KES' }])
  expect(report.until).not.toBeNull()
  expect(rowsOf(report, 'coverage')[0]).toMatchObject({ of: 'operations', exercised: 2 })
  expect(report.payments).toHaveLength(1)
  expect((await tested(world)).counts.payments.all).toBe(3)
  expect((await world.raw('GET', '/_mfano/report?run=payday&format=text')).text).toMatch(
    /^Refused: operation createTillPayment, status 400, code REQ_MISSING_FIELD, requests 1, .*req_/m,
  )
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
  const report = await tested(world, 'failing')
  const { verdict, problems } = report
  expect(rowsOf(report, 'rules')).toMatchObject([
    { name: 'seventy-seven', hits: 2 },
    { name: 'never', hits: 0, 'why not': expect.stringContaining('request.amount == 12345') },
  ])
  const reason = expect.stringContaining('the rule "seventy-seven" decided so')
  expect(rowsOf(report, 'failed')[0]).toMatchObject({ reference: 'salary-77', amount: 77, status: 'FAILED', reason })
  expect([verdict, problems]).toEqual(['unjudged', [{ code: 'idle', level: 'warning', count: 1 }]])

  await world.control('PUT', '/scenario', { ...scenario, name: 'flat', assumptions: { 'error-body': 'flat' } })
  await bench.pay(world, { amount: 77 })
  const changed = await tested(world, 'failing')
  expect(rowsOf(changed, 'scenarios')).toMatchObject([{ scenario: 'seventy-seven' }, { scenario: 'flat' }])
  expect(rowsOf(changed, 'assumptions')).toMatchObject([{ assumption: 'error-body', value: 'flat', default: 'nested' }])
  const fired = rowsOf(changed, 'rules').map(({ scenario: name, hits }) => `${name} ${hits}`)
  expect(fired.slice(0, 2)).toEqual(['seventy-seven 2', 'flat 1'])
  expect(rowsOf(await tested(world), 'rules')[0]).toMatchObject({ scenario: 'seventy-seven', hits: 3 })
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
  const report = await tested(world)
  expect(report.counts.callbacks).toMatchObject({ all: 2, delivered: 1, failed: 1, retried: 1, givenUp: 1 })
  const broken = { to: expect.stringMatching(/\/broken$/) }
  expect(rowsOf(report, 'callbacks')).toContainEqual({
    ...broken,
    callbacks: 1,
    delivered: 0,
    'given up': 1,
    attempts: 5,
  })
  expect(rowsOf(report, 'given-up')).toMatchObject([
    { ...broken, reference: 'lost', 'the last one': expect.stringContaining('500') },
  ])
  expect(report.verdict).toBe('failed')
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
})
