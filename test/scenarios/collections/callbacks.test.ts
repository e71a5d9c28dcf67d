/** What goes wrong between the service and the shop's ear: told twice, too early, too late, in the wrong order, never. */
import { describe, expect, it } from 'vitest'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

describe('callback-twice', () => {
  it('changes nothing for one that looks the payment up, however often it is told', async () => {
    const { street } = await streets.sell('callback-twice', '5m', { times: 5 })
    expect((await street.world.control('GET', '/callbacks')).callbacks).toMatchObject([{ attempts: 5 }])
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-twice-at-once', () => {
  it('is worked on in turn, and changes nothing the second time', async () => {
    const { street } = await streets.sell('callback-twice-at-once', '5m', { times: 8 })
    expect((await street.world.control('GET', '/callbacks')).callbacks).toMatchObject([{ attempts: 8 }])
    expect(await damage(street)).toEqual([])
  })
})

describe('callbacks-retried', () => {
  it('is the same news three times for one that looks', async () => {
    const { street } = await streets.sell('callbacks-retried', '5m')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-before-answer', () => {
  it('finds the payment that was written down before it was asked for', async () => {
    const street = await streets.open('callback-before-answer')
    const order = street.shop.placeOrder()
    await street.shop.payByPhone(order)
    await street.shop.atRest()
    expect(order.message).toBe('Your goods are on their way.')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-lost', () => {
  it('is made up for by asking', async () => {
    const { street } = await streets.sell('callback-lost', '5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ dropped: 1, delivered: 0 })
    expect(await damage(street)).toEqual([])
  })

  it('can be the fate of some callbacks only, and the shop does not have to know which', async () => {
    const street = await streets.open('callback-lost', { share: 0.5 })
    for (let i = 0; i < 10; i++) await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('5m')
    const { counts } = await street.world.control('GET', '/callbacks')
    expect(counts.dropped).toBeGreaterThan(0)
    expect(counts.delivered).toBeGreaterThan(0)
    expect(await damage(street)).toEqual([])
  })
})

describe('callbacks-out-of-order', () => {
  it('is two payments of one order, one failed and one paid, when each has its own state', async () => {
    const { street, order } = await streets.sell('callbacks-out-of-order', '1m')
    await street.shop.payByPhone(order)
    await street.pass('20m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})
