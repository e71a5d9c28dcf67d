/** Payment pages: opened, left, paid in two tabs, paid after all. */
import { describe, expect, it } from 'vitest'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import { cancelOnPage, damage, useStreets } from './support.ts'

const streets = useStreets()

describe('checkout-in-two-tabs', () => {
  it('charges and ships twice, when every click makes a session', async () => {
    const street = await streets.open(NaiveShop, 'checkout-in-two-tabs')
    const order = street.shop.placeOrder()
    const first = await street.shop.payOnTheWeb(order)
    expect(await street.shop.payOnTheWeb(order)).not.toBe(first)
    await street.pass('1m')
    expect(await damage(street)).toEqual(['D1 was shipped 2 times.', 'D1 was charged 1000 too much, unnoticed.'])
  })

  it('opens the same page in both tabs, which can be paid once', async () => {
    const street = await streets.open(CarefulShop, 'checkout-in-two-tabs', { after: '2m' })
    const order = street.shop.placeOrder()
    const first = await street.shop.payOnTheWeb(order)
    expect(await street.shop.payOnTheWeb(order)).toBe(first)
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('checkout-abandoned', () => {
  it('ships for nothing, when everything but FAILED is money', async () => {
    const street = await streets.open(NaiveShop, 'checkout-abandoned')
    await street.shop.payOnTheWeb(street.shop.placeOrder())
    await street.pass('15m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that KES 1000 came in, the wallet says KES 0.',
    ])
  })

  it('is an order that was not paid, and is closed in the end', async () => {
    const street = await streets.open(CarefulShop, 'checkout-abandoned', { after: '29m' })
    const order = street.shop.placeOrder()
    await street.shop.payOnTheWeb(order)
    await street.pass('29m')
    expect(order.state).toBe('waiting')
    await street.pass('5m')
    expect(order.state).toBe('over')
    expect(await damage(street)).toEqual([])
  })
})

describe('checkout-confirmed-late', () => {
  it('comes too late for an order that was closed by the clock', async () => {
    const street = await streets.open(NaiveShop, 'checkout-confirmed-late')
    await street.shop.payOnTheWeb(street.shop.placeOrder())
    await street.pass('35m')
    await street.pass('35m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is waited for as long as the service says that it is under way', async () => {
    const street = await streets.open(CarefulShop, 'checkout-confirmed-late', { after: '3h' })
    const order = street.shop.placeOrder()
    await street.shop.payOnTheWeb(order)
    await street.pass('2h')
    expect(order.state).toBe('waiting')
    await street.pass('2h')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('checkout-cancelled-then-paid', () => {
  it('closes the order that the customer pays a minute later', async () => {
    const street = await streets.open(NaiveShop, 'checkout-cancelled-then-paid')
    const page = await street.shop.payOnTheWeb(street.shop.placeOrder())
    await street.pass('3m')
    expect(await cancelOnPage(page)).toBe('Your order was cancelled.')
    await street.pass('3m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('takes nothing from the way that a browser came back', async () => {
    const street = await streets.open(CarefulShop, 'checkout-cancelled-then-paid', { after: '10m' })
    const page = await street.shop.payOnTheWeb(street.shop.placeOrder())
    await street.pass('3m')
    expect(await cancelOnPage(page)).toBe('You have not paid yet.')
    await street.pass('10m')
    expect(await damage(street)).toEqual([])
  })
})
