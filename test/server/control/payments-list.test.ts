import { expect, it } from 'vitest'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()

/** Amounts of the payments of a list, the newest first. */
async function listed(world: TestWorld, query: string): Promise<{ amounts: number[]; total: number | null }> {
  const { payments, total } = await world.control('GET', `/payments?${query}`)
  return { amounts: payments.map(({ amount }: { amount: number }) => amount), total }
}

it('lists payments by when they were created, with both instants in, as far apart as they are', async () => {
  const world = await bench.world()
  const collect = (amount: number) => world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount })
  for (const amount of [1, 2, 3, 4, 5]) {
    await collect(amount)
    await world.advance('1h')
  }
  expect(await listed(world, 'since=2025-01-24T18:28:00Z')).toEqual({ amounts: [5, 4, 3], total: 3 })
  expect(await listed(world, 'until=2025-01-24T18:28:00Z')).toEqual({ amounts: [3, 2, 1], total: 3 })
  expect(await listed(world, 'since=2025-01-24T17:00:00Z&until=2025-01-24T19:00:00Z')).toMatchObject({ total: 2 })
  expect(await listed(world, 'since=2025-01-25T00:00:00Z')).toEqual({ amounts: [], total: 0 })
  expect(await listed(world, 'until=2025-01-23T00:00:00Z')).toEqual({ amounts: [], total: 0 })
  // In pages, as any other list.
  const { next } = await world.control('GET', '/payments?since=2025-01-24T17:28:00Z&limit=2')
  expect(await listed(world, `since=2025-01-24T17:28:00Z&limit=2&before=${next}`)).toEqual({
    amounts: [3, 2],
    total: 4,
  })
})

it('lists payments by amount, and by how they ended, whatever their kind calls it', async () => {
  const world = await bench.world()
  await bench.pay(world, { amount: 500 })
  await bench.pay(world, { amount: 1_500.5, phoneNumber: '254711000404' })
  await bench.pay(world, { amount: 2_000, phoneNumber: '254711000999' })
  await world.advance('5s')
  expect(await listed(world, 'minAmount=1500.5&maxAmount=1999')).toEqual({ amounts: [1_500.5], total: 1 })
  expect(await listed(world, 'outcome=succeeded')).toMatchObject({ amounts: [500] })
  expect(await listed(world, 'outcome=failed')).toMatchObject({ amounts: [1_500.5] })
  expect(await listed(world, 'outcome=open')).toMatchObject({ amounts: [2_000] })
  const refused = await world.raw('GET', '/_mfano/payments?minAmount=lots')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('minAmount')
})
