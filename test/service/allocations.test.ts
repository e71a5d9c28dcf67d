import { expect, it } from 'vitest'
import { asContracted, assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { subAccountOf } from './assumptions/sending.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

const move = (world: TestWorld, from: string, to: string, amount: number, kind = 'allocations') =>
  world.post(`${api}/${kind}/new`, { fromOrganisationId: from, toOrganisationId: to, amount })

it('moves funds to a sub-account and back', async () => {
  const world = await bench.world()
  const { uuid } = await subAccountOf(world)
  const made = await move(world, world.companyId, uuid, 20)
  const { requestId } = asContracted('createAllocation', made).data
  expect(made.text).toBe(
    `{"status":201,"message":"Created Successfully","data":{"status":"SUCCESS","requestId":"${requestId}","amount":20.0}}`,
  )
  expect(await world.available('KES', uuid)).toBe(20)

  asContracted('createDeallocation', await move(world, uuid, world.companyId, 5.5, 'de-allocations'))
  expect(await world.available('KES', uuid)).toBe(14.5)
  expect(await world.available()).toBe(999_985.5)
})

it('cancels an allocation while the receiver still has the money', async () => {
  const world = await bench.world()
  const [first, second] = [await subAccountOf(world), await subAccountOf(world, { username: 'second' })]
  const { requestId } = (await move(world, world.companyId, first.uuid, 20)).body.data
  const cancel = () => world.get(`${api}/allocations/single/cancel?allocationId=${requestId}`)
  await move(world, first.uuid, second.uuid, 1, 'de-allocations')
  expect((await cancel()).body.error).toMatchObject({ code: 'INSUFFICIENT_FUNDS' })

  await move(world, second.uuid, first.uuid, 1, 'de-allocations')
  expect((await cancel()).text).toBe('{"status":200,"message":"SUCCESS","data":"Allocation cancelled successfully"}')
  expect(await world.available()).toBe(1_000_000)
  expect((await world.get(`${api}/allocations/allocations/org/all`)).text).toBe(
    `{"status":200,"message":"SUCCESS","data":[{"status":"CANCELLED","requestId":"${requestId}","amount":20.0}]}`,
  )
})

it('lists what the caller made, and for a parent all of it', async () => {
  const world = await bench.world()
  const { uuid, token } = await subAccountOf(world)
  await move(world, world.companyId, uuid, 20)
  await move(world, uuid, world.companyId, 5, 'de-allocations')
  const parent = `?parentOrganisationId=${world.companyId}`
  expect(asContracted('listAllocations', await world.get(`${api}/allocations/allocations/org/all`)).data).toHaveLength(
    1,
  )
  expect(
    asContracted('listAllocationsOfParent', await world.get(`${api}/allocations/org/all/admins${parent}`)).data,
  ).toHaveLength(1)
  expect(asContracted('listDeallocations', await world.get(`${api}/de-allocations/org/all`)).data).toHaveLength(1)
  expect(
    asContracted('listDeallocationsOfParent', await world.get(`${api}/de-allocations/org/all/admins${parent}`)).data,
  ).toHaveLength(1)
  expect((await world.get(`${api}/allocations/org/all/admins`)).body.error.code).toBe('REQ_MISSING_FIELD')
  expect((await world.get(`${api}/allocations/org/all/admins?parentOrganisationId=${uuid}`)).body.error.code).toBe(
    'REQ_INVALID_FIELD',
  )
  expect((await world.get(`${api}/allocations/org/all/admins${parent}`, { token })).body.error.code).toBe(
    'AUTH_FORBIDDEN',
  )
})

it('lists what was made to the caller where the unlisted operations are on', async () => {
  const world = await bench.world(assuming({ 'unlisted-operations': 'on' }))
  const { uuid, token } = await subAccountOf(world)
  await move(world, world.companyId, uuid, 20)
  expect(
    asContracted('listReceivedAllocations', await world.get(`${api}/allocations/sub/org/all`, { token })).data,
  ).toHaveLength(1)
  expect(
    asContracted('listReceivedDeallocations', await world.get(`${api}/de-allocations/sub/org/all`, { token })).data,
  ).toEqual([])
})

it('lets a sub-account give its own money to its family, as the assumption has it', async () => {
  const world = await bench.world()
  const [first, second] = [await subAccountOf(world), await subAccountOf(world, { username: 'second' })]
  await move(world, world.companyId, first.uuid, 20)
  const own = async (to: string, from = first.uuid) =>
    world.post(
      `${api}/de-allocations/new`,
      { fromOrganisationId: from, toOrganisationId: to, amount: 5 },
      { token: first.token },
    )
  asContracted('createDeallocation', await own(world.companyId))
  asContracted('createDeallocation', await own(second.uuid))
  expect(await world.available('KES', first.uuid)).toBe(10)
  expect(await world.available('KES', second.uuid)).toBe(5)
  // From nobody else's wallet.
  for (const other of [second.uuid, world.companyId])
    expect((await own(first.uuid, other)).body.error).toMatchObject({ code: 'AUTH_FORBIDDEN' })

  await world.control('PUT', '/assumptions/allocation-callers', { value: 'none' })
  expect((await own(world.companyId)).body.error).toMatchObject({ code: 'AUTH_FORBIDDEN' })
  expect(await world.available('KES', first.uuid)).toBe(10)
  await world.control('PUT', '/assumptions/allocation-callers', { value: 'both' })
  const allocated = { fromOrganisationId: first.uuid, toOrganisationId: second.uuid, amount: 5 }
  asContracted('createAllocation', await world.post(`${api}/allocations/new`, allocated, { token: first.token }))
})
