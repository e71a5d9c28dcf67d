/** Payers and their phones: what they do with a prompt, and what a shop makes of it. */
import { describe, expect, it } from 'vitest'
import { damage, payOnPage, useStreets } from './support.ts'

const streets = useStreets()

describe('stk-cancelled', () => {
  it('ships nothing while the status is PENDING, and says what happened', async () => {
    const street = await streets.open('stk-cancelled')
    const order = street.shop.placeOrder()
    await street.shop.payByPhone(order)
    await street.shop.claimPaid(order)
    expect(order.message).toBe('Your first payment is still under way.')
    await street.pass('1m')
    expect(order.message).toBe('Request cancelled by user. Please try again.')
    expect(street.shop.shipped).toEqual([])
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-wrong-pin', () => {
  it('is noticed in the answer, and the customer pays on the web', async () => {
    const street = await streets.open('stk-wrong-pin', { tries: 2 })
    const order = street.shop.placeOrder()
    for (let i = 0; i < 2; i++) {
      await street.shop.payByPhone(order)
      await street.pass('10s')
      expect(order.message).toBe('The initiator information is invalid. Please try again.')
    }
    await street.shop.payByPhone(order)
    expect(order.message).toBe('We cannot reach your phone now. Please pay on the web.')
    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('1m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-no-answer', () => {
  it('is a reason to ask again, as often as the customer likes', async () => {
    const street = await streets.open('stk-no-answer', { rings: '30s', prompts: 2 })
    const order = street.shop.placeOrder()
    for (let i = 0; i < 3; i++) {
      await street.shop.payByPhone(order)
      await street.pass('1m')
    }
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-insufficient-funds', () => {
  it('is said to the customer, who pays by card', async () => {
    const street = await streets.open('stk-insufficient-funds', { balance: 999 })
    const order = street.shop.placeOrder({ price: 1000 })
    await street.shop.payByPhone(order)
    await street.pass('10s')
    expect(order.message).toBe('The balance is insufficient for the transaction. Please try again.')
    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('1m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-failed-then-paid', () => {
  it('is paid all the same, and shipped, whenever the money comes', async () => {
    const { street, order } = await streets.sell('stk-failed-then-paid', '5m', { after: '2h' })
    expect(order.message).toBe('No response from user. Please try again.')
    await street.pass('1h')
    expect(order.state).toBe('over')
    await street.pass('1h')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })

  it('is noticed too when the customer has paid again meanwhile: that is one payment too many', async () => {
    const { street, order } = await streets.sell('stk-failed-then-paid', '2m')
    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 2000, refundDue: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-confirmed-late', () => {
  it('is paid once, because the second click is told to wait', async () => {
    const { street, order } = await streets.sell('stk-confirmed-late', '1m', { after: '20m' })
    await street.shop.payByPhone(order)
    expect(order.message).toBe('Your first payment is still under way.')
    expect(await street.shop.payOnTheWeb(order)).toBeUndefined()
    await street.pass('20m')
    expect((await street.world.control('GET', '/payments')).total).toBe(1)
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-charged-twice', () => {
  it('is found in the list of all collections', async () => {
    const { street, order } = await streets.sell('stk-charged-twice', '5m')
    expect(order).toMatchObject({ state: 'paid', received: 2000, refundDue: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-answer-lost', () => {
  it.each(['lost', 'reset'])('is asked for by the name that the shop gave it: %s', async (answer) => {
    const street = await streets.open('stk-answer-lost', { answer })
    const order = street.shop.placeOrder()
    await street.shop.payByPhone(order)
    await street.shop.payByPhone(order)
    expect(order.message).toBe('Your first payment is still under way.')
    await street.pass('5m')
    expect((await street.world.control('GET', '/payments')).total).toBe(1)
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-text-limits', () => {
  it('is kept to', async () => {
    const { street, order } = await streets.sell('stk-text-limits', '5m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('collection-reversed', () => {
  it('is booked out again, and the order is owed', async () => {
    const { street, order } = await streets.sell('collection-reversed', '1m', { after: '12h' })
    expect(order).toMatchObject({ state: 'paid', received: 1000 })
    await street.pass('1d')
    expect(order).toMatchObject({ state: 'owed', received: 0 })
    expect(await damage(street)).toEqual([])
  })
})
