/** Payment pages: opened, left, paid in two tabs, paid after all. */
import { describe, expect, it } from 'vitest'
import { cancelOnPage, damage, useStreets } from './support.ts'

const streets = useStreets()

describe('checkout-in-two-tabs', () => {
  it('opens the same page in both tabs, which can be paid once', async () => {
    const street = await streets.open('checkout-in-two-tabs', { after: '2m' })
    const order = street.shop.placeOrder()
    const first = await street.shop.payOnTheWeb(order)
    expect(await street.shop.payOnTheWeb(order)).toBe(first)
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('checkout-abandoned', () => {
  it('is an order that was not paid, and is closed in the end', async () => {
    const street = await streets.open('checkout-abandoned', { after: '29m' })
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
  it('is waited for as long as the service says that it is under way', async () => {
    const street = await streets.open('checkout-confirmed-late', { after: '3h' })
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
  it('takes nothing from the way that a browser came back', async () => {
    const street = await streets.open('checkout-cancelled-then-paid', { after: '10m' })
    const page = await street.shop.payOnTheWeb(street.shop.placeOrder())
    await street.pass('3m')
    expect(await cancelOnPage(page)).toBe('You have not paid yet.')
    await street.pass('10m')
    expect(await damage(street)).toEqual([])
  })
})
