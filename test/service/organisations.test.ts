import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { asContracted, assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { subAccountOf } from './assumptions/sending.ts'

const bench = useBench()
const base = '/api/sandbox/v1'

const till = { ...bodies.till('https://merchant.example/callback'), amount: 10 }

it("shows a sub-account's records to itself and to its parent, and to nobody else", async () => {
  const world = await bench.world()
  const [one, other] = [await subAccountOf(world), await subAccountOf(world, { username: 'other' })]
  await world.post(`${base}/allocations/new`, {
    fromOrganisationId: world.companyId,
    toOrganisationId: one.uuid,
    amount: 100,
  })
  const paid = await world.post(`${base}/till`, { ...till, referenceId: 'mine' }, { token: one.token })
  expect(paid.status, paid.text).toBe(201)
  const { requestId } = paid.body.data

  const read = (companyId: string, token?: string) =>
    world.get(`${base}/till/single?requestId=${requestId}&companyId=${companyId}`, token === undefined ? {} : { token })
  expect((await read(one.uuid, one.token)).status).toBe(200)
  expect((await read(one.uuid)).status).toBe(200)
  const foreign = await read(other.uuid, other.token)
  expect([foreign.status, foreign.body.error.code]).toEqual([404, 'RESOURCE_NOT_FOUND'])
  const forbidden = await read(one.uuid, other.token)
  expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'AUTH_FORBIDDEN'])
  const byReference = await world.get(`${base}/till/single?requestId=mine&companyId=${other.uuid}`, {
    token: other.token,
  })
  expect(byReference.status).toBe(404)
  expect((await world.get(`${base}/till/all`, { token: other.token })).body.data).toEqual([])
})

it('spends only what was allocated', async () => {
  const world = await bench.world()
  const one = await subAccountOf(world)
  expect((await world.post(`${base}/till`, till, { token: one.token })).body.error.code).toBe('INSUFFICIENT_FUNDS')
  await world.post(`${base}/allocations/new`, {
    fromOrganisationId: world.companyId,
    toOrganisationId: one.uuid,
    amount: 10,
  })
  expect((await world.post(`${base}/till`, till, { token: one.token })).status).toBe(201)
  expect(await world.available('KES', one.uuid)).toBe(0)
  expect(await world.available()).toBe(999_990)
})

it("gives a sub-account a key pair of the operator's choice", async () => {
  const world = await bench.world()
  const { uuid } = await subAccountOf(world)
  const chosen = { apiKey: 'branch-key', apiSecret: 'branch-secret' }
  expect(await world.control('POST', `/organisations/${uuid}/credentials`, chosen)).toEqual({
    ...chosen,
    companyId: uuid,
  })
  await world.login(chosen)
  const again = await world.raw('POST', `/_mfano/organisations/${uuid}/credentials`, { body: chosen })
  expect(again.status).toBe(409)
})

it('tells how to fund a wallet where the unlisted operations are on', async () => {
  expect((await (await bench.world()).post(`${base}/org/wallet-details`, undefined)).status).toBe(404)
  const world = await bench.world(assuming({ 'unlisted-operations': 'on' }))
  const answer = await world.post(`${base}/org/wallet-details`, undefined)
  asContracted('getWalletDetails', answer)
  expect(answer.text).toBe(
    '{"status":200,"message":"SUCCESS","data":{"pesalinkDetails":{"accountNumber":"990001000001","accountName":"Provider Ltd","beneficiaryBank":"Example Bank","remarks":"1000001"},"bankDetails":{"beneficiaryName":"Provider Ltd","beneficiaryBank":"Example Bank","beneficiaryBranch":"EXAMPLE BRANCH","swiftCode":"EXMPKENA","beneficiaryAccount":"990001000001","remarks":"1000001"},"paybillDetails":{"paybillNumber":"9990001","accountNumber":"1000001"}}}',
  )
})
