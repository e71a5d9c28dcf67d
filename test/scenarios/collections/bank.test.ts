/** Money that the shop did not ask for: customers pay in by themselves, as they see fit. */
import { describe, expect, it } from 'vitest'
import { damage, type Street, useStreets } from './support.ts'

const streets = useStreets()

/** A customer pays to the shop's number, without a prompt, and types an account reference. */
const payIn = (street: Street, amount: number, accountReference: string) =>
  street.world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount, accountReference })

describe('default', () => {
  it('lets them mistype the number of the order, and a careful shop keeps the money for whoever asks', async () => {
    const street = await streets.open('default')
    const [first, second] = [street.shop.placeOrder(), street.shop.placeOrder()]
    await payIn(street, 1000, 'd1')
    await payIn(street, 1000, 'D22')
    await street.pass('5m')
    expect([first.state, second.state]).toEqual(['paid', 'waiting'])
    const [money] = street.shop.unclaimed
    expect(money).toMatchObject({ amount: 1000, words: 'D22' })
    expect(await damage(street)).toEqual([])
    await street.shop.claim(money?.slip ?? '', second)
    expect(second.state).toBe('paid')
  })

  it('lets a customer pay in parts, in small letters, and too much', async () => {
    const street = await streets.open('default')
    const order = street.shop.placeOrder({ price: 1000 })
    await street.transfer(900, 'D1')
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'waiting', message: '100 shillings are missing.' })
    await street.transfer(150, 'd1')
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 1050, refundDue: 50 })
    expect(await damage(street)).toEqual([])
  })
})

describe('bank-collection-untold', () => {
  it('is in the list, and booked once however often the list is read', async () => {
    const street = await streets.open('bank-collection-untold')
    const order = street.shop.placeOrder()
    await street.transfer(1000, 'D1')
    await street.pass('5m')
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('bank-collection-without-reference', () => {
  it('is kept as unclaimed until the customer calls', async () => {
    const street = await streets.open('bank-collection-without-reference', { words: 'MOBILE BANKING' })
    const order = street.shop.placeOrder()
    const slip = await street.transfer(1000, 'D1')
    await street.pass('5m')
    expect(street.shop.unclaimed).toMatchObject([{ words: 'MOBILE BANKING', slip }])
    // Nothing is shipped yet, and no money is missing from the book.
    expect(await damage(street)).toEqual(['D1 is paid and was never shipped.'])
    await street.shop.claim(slip, order)
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})
