/** When records say that they were made and changed: the published forms, the specified one, and the zone. */
import { expect, it } from 'vitest'
import { everyOperation, recordExamples } from '../../install/generate/examples.ts'
import { bodies } from '../support/bodies.ts'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'

const bench = useBench()
const api = '/api/sandbox/v1'
const texts = { remarks: 'Here are the remarks', occasion: 'Here is the occasion' }

/** A world that has just come to an instant: what is made next is made then, to the microsecond. */
async function standing(to: string, assumptions: Record<string, string> = {}): Promise<TestWorld> {
  const start = new Date(Date.parse(`${to.slice(0, 19)}Z`) - 60_000).toISOString()
  const world = await bench.world({ ...assuming(assumptions), clock: { mode: 'frozen', start } })
  await world.token()
  await world.control('POST', '/clock/advance', { to })
  return world
}

async function payTill(world: TestWorld): Promise<Record<string, string>> {
  const asked = { businessNumber: '12345', amount: 100, ...texts, callbackUrl: bench.receiver.url() }
  const { requestId } = (await world.post(`${api}/till`, asked)).body.data
  return (await world.get(`${api}/till/single?requestId=${requestId}&companyId=${world.companyId}`)).body.data
}

async function payPaybill(world: TestWorld): Promise<Record<string, string>> {
  const asked = { businessNumber: '2232334', accountNumber: '22442244', amount: 1000, ...texts }
  const { body } = await world.post(`${api}/paybill`, { ...asked, callbackUrl: bench.receiver.url() })
  return (await world.get(`${api}/paybill/single?requestId=${body.data.requestId}`)).body.data
}

it.each([
  ['2025-01-24T17:10:30.650540', '2025-01-24T17:10:30.65054'],
  ['2025-01-24T17:10:30.650500', '2025-01-24T17:10:30.6505'],
  ['2025-01-24T17:10:30.000000', '2025-01-24T17:10:30.0'],
  ['2025-01-24T17:10:00.000001', '2025-01-24T17:10:00.000001'],
])('drops the zeros of %s where the published form does', async (start, printed) => {
  const world = await standing(start, { 'timestamp-form': 'as-published' })
  const { createdAt, updatedAt } = await payTill(world)
  expect([createdAt, updatedAt]).toEqual([printed, printed])
})

it('prints six digits in records of every kind', async () => {
  const world = await bench.world(assuming(everyOperation))
  const { operations } = JSON.parse(await recordExamples(world, '{baseUrl}'))
  const times = [...JSON.stringify(operations).matchAll(/"(?:created|updated)At":"([^"]*)"/g)].map(([, time]) => time)
  expect(times.length).toBeGreaterThan(40)
  expect(times.filter((time) => !/T\d\d:\d\d:\d\d\.\d{6}$/.test(time ?? ''))).toEqual([])
})

it('draws the form of every field, the same at every look', async () => {
  const world = await standing('2025-01-24T13:35:12.151225', { 'timestamp-form': 'drawn' })
  // Drawn by the world's name too, which says nothing about which comes when.
  for (let i = 0; i < 30; i++) await payPaybill(world)
  const list = async () => (await world.get(`${api}/paybill/all`)).body.data
  const records: Record<string, string>[] = await list()
  const forms = new Set(
    records.map(({ createdAt, updatedAt }) => [createdAt, updatedAt].map((t) => /Z$/.test(t ?? ''))).map(String),
  )
  expect([...forms].sort()).toEqual(['false,false', 'false,true', 'true,false', 'true,true'])
  expect(await list()).toEqual(records)
})

it('moves dates and references with the zone', async () => {
  const world = await standing('2025-01-24T22:30:00', { 'timestamp-zone': 'nairobi' })
  const session = await world.post(`${api}/checkout-sessions`, bodies.checkout(bench.receiver.url()))
  expect(session.body.checkoutRef).toBe('CHK-20250125-000001')
  const paybill = await payPaybill(world)
  expect(paybill['createdAt']).toMatch(/^2025-01-25T01:30:00\./)
  expect(paybill['conversationId']).toMatch(/^AG_20250125_/)
  await world.control('POST', '/collections/bank', { amount: 10000 })
  expect((await world.get(`${api}/bank/collection/all`)).body.data[0].transactiondate).toBe('2025-01-25')
  const { uuid } = await world.control('POST', '/collections/stk', { phoneNumber: '254700000001', amount: 10 })
  const stk = (await world.get(`${api}/stk/single?requestId=${uuid}`)).body.data
  expect(stk.checkoutRequestId).toMatch(/^ws_CO_25012025013000/)
})
