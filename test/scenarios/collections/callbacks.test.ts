/** What goes wrong between the service and the shop's ear: told twice, too early, too late, in the wrong order, never. */
import { describe, expect, it } from 'vitest'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import type { Order } from '../shop/shop.ts'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

/** The second version: looks whether the order was shipped already. */
class LookingShop extends NaiveShop {
  protected override async ship(order: Order): Promise<void> {
    if (!this.shipped.includes(order)) await super.ship(order)
  }
}

describe('callback-twice', () => {
  it('makes a shop that ships on every callback ship twice', async () => {
    const { street } = await streets.sell(NaiveShop, 'callback-twice', '5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped 2 times.',
      'The book says that KES 2000 came in, the wallet says KES 1000.',
    ])
  })

  it('changes nothing for one that looks the payment up, however often it is told', async () => {
    const { street } = await streets.sell(CarefulShop, 'callback-twice', '5m', { times: 5 })
    expect((await street.world.control('GET', '/callbacks')).callbacks).toMatchObject([{ attempts: 5 }])
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-twice-at-once', () => {
  it('gets past a shop that looks before it ships, because both look before either ships', async () => {
    const street = await streets.open(LookingShop, 'callback-twice-at-once')
    // Comes when it is called for the second time; with callbacks that come in turn that would never be.
    const courier = Promise.withResolvers<void>()
    let calls = 0
    street.shop.courier = () => {
      if (++calls === 2) courier.resolve()
      return courier.promise
    }
    await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped 2 times.',
      'The book says that KES 2000 came in, the wallet says KES 1000.',
    ])
  })

  it('is worked on in turn, and changes nothing the second time', async () => {
    const { street } = await streets.sell(CarefulShop, 'callback-twice-at-once', '5m', { times: 8 })
    expect((await street.world.control('GET', '/callbacks')).callbacks).toMatchObject([{ attempts: 8 }])
    expect(await damage(street)).toEqual([])
  })
})

describe('callbacks-retried', () => {
  it('ships three parcels for one payment', async () => {
    const { street } = await streets.sell(NaiveShop, 'callbacks-retried', '5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped 3 times.',
      'The book says that KES 3000 came in, the wallet says KES 1000.',
    ])
  })

  it('is the same news three times for one that looks', async () => {
    const { street } = await streets.sell(CarefulShop, 'callbacks-retried', '5m')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-before-answer', () => {
  it('is thrown away by a shop that does not know the payment yet', async () => {
    const { street, order } = await streets.sell(NaiveShop, 'callback-before-answer', '31m')
    expect(order).toMatchObject({ state: 'over', message: 'Your order was cancelled.' })
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('finds the payment that was written down before it was asked for', async () => {
    const street = await streets.open(CarefulShop, 'callback-before-answer')
    const order = street.shop.placeOrder()
    await street.shop.payByPhone(order)
    await street.shop.atRest()
    expect(order.message).toBe('Your goods are on their way.')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-lost', () => {
  it('leaves a customer who has paid without goods', async () => {
    const { street } = await streets.sell(NaiveShop, 'callback-lost', '5m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is made up for by asking', async () => {
    const { street } = await streets.sell(CarefulShop, 'callback-lost', '5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ dropped: 1, delivered: 0 })
    expect(await damage(street)).toEqual([])
  })

  it('can be the fate of some callbacks only, and the shop does not have to know which', async () => {
    const street = await streets.open(CarefulShop, 'callback-lost', { share: 0.5 })
    for (let i = 0; i < 10; i++) await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('5m')
    const { counts } = await street.world.control('GET', '/callbacks')
    expect(counts.dropped).toBeGreaterThan(0)
    expect(counts.delivered).toBeGreaterThan(0)
    expect(await damage(street)).toEqual([])
  })
})

describe('callbacks-out-of-order', () => {
  it('closes an order that is paid, when the last callback decides', async () => {
    const { street, order } = await streets.sell(NaiveShop, 'callbacks-out-of-order', '1m')
    // Nothing happens on the page, so the customer presses the button again, and pays this time.
    await street.shop.payByPhone(order)
    await street.pass('1m')
    expect(await damage(street)).toEqual(['D1 is paid, and its customer reads: Your order was cancelled.'])
  })

  it('is two payments of one order, one failed and one paid, when each has its own state', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'callbacks-out-of-order', '1m')
    await street.shop.payByPhone(order)
    await street.pass('20m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})
