import { expect, it } from 'vitest'
import { payoutTo } from '../../support/bodies.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1'
const payout = () => payoutTo(bench.receiver.url(), { amount: 1000 })

async function pay(world: TestWorld, extra: object = {}): Promise<string> {
  const answer = await world.post(`${base}/send-money`, { ...payout(), ...extra })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.requestId
}

it('says that it is ready', async () => {
  const world = await bench.world()
  expect(await world.control('GET', '/health')).toMatchObject({
    status: 'ok',
    world: world.id,
    scenario: 'default',
    now: '2025-01-24T16:28:00.000000Z',
    schemaVersion: expect.any(Number),
  })
})

it('tells the whole story of a payment: record, plan, trace, timeline, transfers, callbacks', async () => {
  const world = await bench.world()
  const uuid = await pay(world)
  const pending = await world.control('GET', `/payments/${uuid}`)
  expect(pending).toMatchObject({
    status: 'PENDING',
    record: { uuid, status: 'PENDING' },
    plan: { after: '2s', end: 'SUCCESS' },
    timeline: { due: [{ at: '2025-01-24T16:28:02.000000Z', event: 'settle' }] },
    transfers: [{ debit: 'wallet:1:KES', credit: 'rail:KES', amount: 1000, state: 'pending' }],
    callbacks: [],
    possible: [
      { event: 'SUCCEED', leadsTo: 'SUCCESS' },
      { event: 'FAIL', leadsTo: 'FAILED' },
    ],
  })
  const decided = pending.trace.find((line: { outcome: string }) => line.outcome === 'decided')
  expect(decided).toMatchObject({ name: 'the payout succeeds' })
  expect(pending.trace[0]).toMatchObject({ outcome: 'condition false', why: expect.stringContaining('TZS') })

  await world.advance('1m')
  expect(await world.control('GET', `/payments/${uuid}`)).toMatchObject({
    timeline: {
      happened: [
        { event: 'open', by: 'request' },
        { at: '2025-01-24T16:28:02.000000Z', event: 'settle', status: 'SUCCESS', by: 'plan' },
      ],
      due: [],
    },
    transfers: [{ state: 'posted' }],
    callbacks: [
      {
        state: 'delivered',
        attempts: 1,
        tries: [{ number: 1, status: 200, sentAt: '2025-01-24T16:28:02.000000Z', error: null }],
      },
    ],
  })
})

it('makes a payment end as an operator wants, by legal ways only', async () => {
  const world = await bench.world()
  const uuid = await pay(world)
  expect(await world.control('POST', `/payments/${uuid}/resolve`, { status: 'FAILED' })).toMatchObject({
    status: 'FAILED',
    timeline: { due: [] },
  })
  const again = await world.raw('POST', `/_mfano/payments/${uuid}/resolve`, { body: { status: 'SUCCESS' } })
  expect(again.status).toBe(409)
  expect(again.body.error).toMatchObject({
    code: 'ILLEGAL_TRANSITION',
    details: expect.stringContaining('Possible now: nothing, it is final'),
  })
  // What was told is recorded, before time moves and would count it.
  await expect.poll(async () => (await world.control('GET', '/callbacks')).counts).toMatchObject({ delivered: 1 })
  expect((await world.advance('1m')).callbacks).toEqual({ delivered: 0, failed: 0 })
  expect(bench.receiver.at('/callback').map((body) => body.status)).toEqual(['FAILED'])
})

it('lets customers pay in: by phone, in Tanzania, by bank', async () => {
  const world = await bench.world()
  await world.control('PATCH', `/organisations/${world.companyId}`, {
    collectionCallbackUrl: bench.receiver.url('/bank'),
  })
  const stk = await world.control('POST', '/collections/stk', {
    phoneNumber: '254712345678',
    amount: 50,
    accountReference: 'INV-1',
  })
  const tz = await world.control('POST', '/collections/tz', { phoneNumber: '255712345678', amount: 2000 })
  const bank = await world.control('POST', '/collections/bank', { amount: 300.5, description: 'Rent' })
  await world.advance('1m')
  expect((await world.get(`${base}/stk/single?requestId=${stk.uuid}`)).body.data).toMatchObject({
    status: 'SUCCESS',
    amount: 50,
    accountReference: 'INV-1',
    phoneNumber: '0712345678',
  })
  expect(
    (await world.get(`/api/v1/tz/collections/single?requestId=${tz.uuid}`, { headers: { 'device-id': 'test' } })).body
      .data,
  ).toMatchObject({ status: 'SUCCESS', amount: 2000 })
  const [record] = (await world.get(`${base}/bank/collection/all`)).body.data
  expect(record).toMatchObject({ uuid: bank.uuid, amount: '300.5', description: 'Rent', paymentmode: 'PESALINK' })
  expect(bench.receiver.at('/bank')).toEqual([record])
  expect(await world.available()).toBe(1_000_350.5)
  expect(await world.available('TZS')).toBe(50_002_000)
})

it('tops up wallets and shows the books', async () => {
  const world = await bench.world()
  expect(await world.control('POST', '/wallets/fund', { currency: 'KSH', amount: 0.5 })).toMatchObject({
    currency: 'KES',
    available: 1_000_000.5,
  })
  await pay(world)
  const { trialBalance, entries, imbalances } = await world.control('GET', '/ledger?account=wallet:1:KES')
  expect(imbalances).toEqual([])
  expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual(['send-money', 'funding', 'funding'])
  const sum = (side: string) =>
    trialBalance.reduce((total: number, row: Record<string, number>) => total + (row[side] ?? 0), 0)
  expect(sum('debits')).toBe(sum('credits'))
  expect(sum('pendingDebits')).toBe(sum('pendingCredits'))
  const wrong = await world.raw('POST', '/_mfano/wallets/fund', { body: { currency: 'KES', amount: -1 } })
  expect([wrong.status, wrong.body.error.details]).toEqual([400, 'amount: must be greater than 0, got -1'])
})

it('replaces the scenario for new payments only, and keeps the old one when the new one is wrong', async () => {
  const world = await bench.world()
  const before = await pay(world)
  const failing =
    'name: failing\ndescription: Everything fails.\nrules:\n  - { name: it fails, on: send-money, then: { after: 1s, end: FAILED } }\n'
  expect((await world.raw('PUT', '/_mfano/scenario', { body: failing })).status).toBe(200)
  const after = await pay(world)
  await world.advance('1m')
  expect((await world.control('GET', `/payments/${before}`)).status).toBe('SUCCESS')
  expect(await world.control('GET', `/payments/${after}`)).toMatchObject({ status: 'FAILED', rule: 'it fails' })

  const broken = await world.raw('PUT', '/_mfano/scenario', { body: failing.replace('FAILED', 'DECLINED') })
  expect(broken.status).toBe(400)
  expect(broken.body.error.details).toMatch(/scenario:4:\d+.*"DECLINED".*SUCCESS, FAILED/)
  expect((await world.control('GET', '/scenario')).name).toBe('failing')
})

it('lists what is known how, with every assumption and its present choice', async () => {
  const world = await bench.world({
    scenario: { name: 'x', description: 'One choice differs.', assumptions: { 'list-order': 'newest-first' } },
  })
  const { operations, assumptions } = await world.control('GET', '/fidelity')
  expect(operations).toHaveLength(44)
  expect(operations.filter((operation: { on: boolean }) => !operation.on)).toHaveLength(5)
  expect(assumptions.find((one: { id: string }) => one.id === 'list-order')).toMatchObject({
    default: 'oldest-first',
    inForce: 'newest-first',
  })
})

it('turns away pages of other sites', async () => {
  const world = await bench.world()
  const foreign = await world.raw('POST', '/_mfano/reset', { headers: { origin: 'https://evil.example' } })
  expect([foreign.status, foreign.body.error.code]).toEqual([403, 'FOREIGN_ORIGIN'])
  const from = (site: string) => world.raw('GET', '/_mfano/wallets', { headers: { 'sec-fetch-site': site } })
  expect((await from('cross-site')).status).toBe(403)
  expect((await from('same-site')).status).toBe(200)
  expect(
    (await world.raw('GET', '/_mfano/wallets', { headers: { origin: new URL(world.baseUrl).origin } })).status,
  ).toBe(200)
})
