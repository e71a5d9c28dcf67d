import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { asContracted, assuming, keysOf } from '../support/contract.ts'
import { START, useBench } from '../support/harness.ts'
import { subAccountOf } from './assumptions/sending.ts'

const bench = useBench()
const base = '/api/sandbox/v1/multiaccount'
const request = (username = 'johndoe') => {
  const body = bodies.subAccount()
  return { ...body, user: { ...body.user, username, password: 'correct-horse-battery' } }
}

it('creates a sub-account and lists it without its parent', async () => {
  const world = await bench.world()
  const made = asContracted('createSubAccount', await world.post(`${base}/new/organisation`, request())).data
  expect(keysOf(made)).toBe(
    'uuid name phoneNumber email uniqueReference environment createdAt updatedAt collectionCallbackUrl parentOrganisation parent',
  )
  expect(made.parentOrganisation).toEqual({ uuid: world.companyId, name: 'Example Merchant Ltd', parent: true })
  expect(made.uniqueReference).toMatch(/^1000001\d{3}$/)

  const [listed] = asContracted('listSubAccounts', await world.get(`${base}/organisation/all`)).data
  expect(keysOf(listed)).toBe(
    'uuid name phoneNumber email uniqueReference environment createdAt updatedAt collectionCallbackUrl parent',
  )
  expect(listed.createdAt).toBe(made.createdAt)
})

it('keeps no password and shows it nowhere', async () => {
  const world = await bench.world()
  await world.post(`${base}/new/organisation`, request())
  await world.post(`${base}/new/organisation`, request())
  await world.post(`${base}/new/organisation`, { ...request(), phone: 'none' })
  await world.post(`${base}/new/organisation`, JSON.stringify(request()).replace('"correct-horse', 'correct-horse'))
  const journal = await world.raw('GET', '/_mfano/requests')
  expect(journal.text).not.toContain('correct')
  const users = world.inside.core.store.sql.prepare('SELECT * FROM api_user').all()
  expect(users).toHaveLength(1)
  expect(JSON.stringify(users)).not.toContain('correct')
})

it('subscribes, suspends and takes up again', async () => {
  const world = await bench.world()
  expect((await world.put(`${base}/activate`)).status).toBe(404)
  const made = asContracted('subscribeSubAccounts', await world.post(`${base}/subscribe`, undefined)).data
  expect(keysOf(made)).toBe('uuid active createdAt updatedAt')
  expect(asContracted('subscribeSubAccounts', await world.post(`${base}/subscribe`, undefined)).data).toEqual(made)
  expect((await world.put(`${base}/de-activate`)).text).toBe(
    '{"status":200,"message":"Updated Successfully","data":"un-subscribed Successfully"}',
  )
  expect((await world.put(`${base}/activate`)).text).toBe(
    '{"status":200,"message":"Updated Successfully","data":"subscribed Successfully"}',
  )
})

it('shows more digits in new sub-accounts and subscriptions where a scenario assumes the published ones', async () => {
  // Drawn digits end in a zero in this world.
  const world = await bench.world({ ...assuming({ 'timestamp-form': 'as-published' }), seed: 23 })
  const made = (await world.post(`${base}/new/organisation`, request())).body.data
  const [listed] = (await world.get(`${base}/organisation/all`)).body.data
  expect([made.createdAt.length - listed.createdAt.length, listed.createdAt.slice(0, 19)]).toEqual([2, START])
  expect((await world.post(`${base}/subscribe`, undefined)).body.data.createdAt).toMatch(/\.\d{9}$/)
})

it('adds up what a sub-account collected and paid out', async () => {
  const world = await bench.world()
  const { uuid, token } = await subAccountOf(world)
  await world.post('/api/sandbox/v1/allocations/new', {
    fromOrganisationId: world.companyId,
    toOrganisationId: uuid,
    amount: 1000,
  })
  const common = { remarks: 'r', occasion: 'o', callbackUrl: bench.receiver.url() }
  await world.post(
    '/api/sandbox/v1/paybill',
    { ...common, businessNumber: '2232334', accountNumber: '1', amount: 50.25 },
    { token },
  )
  await world.post('/api/sandbox/v1/till', { ...common, businessNumber: '12345', amount: 20 }, { token })
  await world.control('POST', '/collections/bank', { amount: 7, description: 'd', organisationId: uuid })
  await world.advance('1m')
  const breakdown = await world.get(`${base}/wallet/total/breakdown`)
  asContracted('getWalletBreakdown', breakdown)
  expect(breakdown.text).toBe(
    `[{"totalTransactions":70.25,"totalStkCollection":0.0,"totalPaybill":50.25,"netBalance":936.75,"totalPaybillCollection":0.0,"totalCollections":0.0,"totalTill":20.0,"organisationUuid":"${uuid}","totalSendMoney":0.0}]`,
  )
})

it.each(['oldest-first', 'newest-first'])('lists sub-accounts and their totals %s', async (order) => {
  const world = await bench.world(assuming({ 'list-order': order }))
  const uuids: string[] = []
  for (const name of ['first', 'second'])
    uuids.push((await world.post(`${base}/new/organisation`, request(name))).body.data.uuid)
  const wanted = order === 'oldest-first' ? uuids : uuids.toReversed()
  const { data } = (await world.get(`${base}/organisation/all`)).body
  expect(data.map(({ uuid }: { uuid: string }) => uuid)).toEqual(wanted)
  const totals = (await world.get(`${base}/wallet/total/breakdown`)).body
  expect(totals.map(({ organisationUuid }: { organisationUuid: string }) => organisationUuid)).toEqual(wanted)
})
