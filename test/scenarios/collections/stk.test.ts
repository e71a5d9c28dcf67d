/** Payers and their phones: what they do with a prompt, and what a shop makes of it. */
import { describe, expect, it } from 'vitest'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import { LOOK_AT_YOUR_PHONE } from '../shop/shop.ts'
import { damage, payOnPage, useStreets } from './support.ts'

const streets = useStreets()

describe('stk-cancelled', () => {
  it('ships for nothing when the code of the prompt is taken for the money', async () => {
    const street = await streets.open(NaiveShop, 'stk-cancelled')
    const order = street.shop.placeOrder()
    await street.shop.payByPhone(order)
    // With the prompt still on the phone, the customer tries this:
    await street.shop.claimPaid(order)
    await street.pass('1m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that KES 1000 came in, the wallet says KES 0.',
    ])
  })

  it('ships nothing while the status is PENDING, and says what happened', async () => {
    const street = await streets.open(CarefulShop, 'stk-cancelled')
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
  it('sends the customer to a phone that will not ring, and closes an order that is paid in another way', async () => {
    const street = await streets.open(NaiveShop, 'stk-wrong-pin')
    const order = street.shop.placeOrder()
    for (let i = 0; i < 4; i++) {
      await street.shop.payByPhone(order)
      await street.world.advance('10s')
    }
    expect(order.message).toBe(LOOK_AT_YOUR_PHONE)
    expect((await street.world.control('GET', '/payments')).total).toBe(3)

    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('1m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Look at your phone.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is noticed in the answer, and the customer pays on the web', async () => {
    const street = await streets.open(CarefulShop, 'stk-wrong-pin', { tries: 2 })
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
  it('keeps the money and the goods, when a failed payment was the end of the order', async () => {
    const { street, order } = await streets.sell(NaiveShop, 'stk-no-answer', '2m')
    await street.shop.payByPhone(order)
    await street.pass('2m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Look at your phone.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is a reason to ask again, as often as the customer likes', async () => {
    const street = await streets.open(CarefulShop, 'stk-no-answer', { rings: '30s', prompts: 2 })
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
  it('tells the customer nothing, and has closed the order that the customer then pays by card', async () => {
    const street = await streets.open(NaiveShop, 'stk-insufficient-funds')
    const order = street.shop.placeOrder({ price: 1000 })
    await street.shop.payByPhone(order)
    await street.pass('10s')
    expect(order.message).toBe('Your order was cancelled.')
    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('1m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is said to the customer, who pays by card', async () => {
    const street = await streets.open(CarefulShop, 'stk-insufficient-funds', { balance: 999 })
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
  it('comes in for an order that FAILED has closed', async () => {
    const { street } = await streets.sell(NaiveShop, 'stk-failed-then-paid', '5m')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('is paid all the same, and shipped, whenever the money comes', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'stk-failed-then-paid', '5m', { after: '2h' })
    expect(order.message).toBe('No response from user. Please try again.')
    await street.pass('1h')
    expect(order.state).toBe('over')
    await street.pass('1h')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })

  it('is noticed too when the customer has paid again meanwhile: that is one payment too many', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'stk-failed-then-paid', '2m')
    await payOnPage(await street.shop.payOnTheWeb(order))
    await street.pass('5m')
    expect(order).toMatchObject({ state: 'paid', received: 2000, refundDue: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-confirmed-late', () => {
  it('is paid twice, because the page goes on asking', async () => {
    const { street, order } = await streets.sell(NaiveShop, 'stk-confirmed-late', '1m')
    await street.shop.payByPhone(order)
    await street.pass('5m')
    expect(await damage(street)).toEqual(['D1 was shipped 2 times.', 'D1 was charged 1000 too much, unnoticed.'])
  })

  it('is paid once, because the second click is told to wait', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'stk-confirmed-late', '1m', { after: '20m' })
    await street.shop.payByPhone(order)
    expect(order.message).toBe('Your first payment is still under way.')
    expect(await street.shop.payOnTheWeb(order)).toBeUndefined()
    await street.pass('20m')
    expect((await street.world.control('GET', '/payments')).total).toBe(1)
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-charged-twice', () => {
  it('takes the money twice, and nobody at the shop will ever know', async () => {
    const { street } = await streets.sell(NaiveShop, 'stk-charged-twice', '1h')
    expect(await damage(street)).toEqual([
      'D1 was charged 1000 too much, unnoticed.',
      'The book says that KES 1000 came in, the wallet says KES 2000.',
    ])
  })

  it('is found in the list of all collections', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'stk-charged-twice', '5m')
    expect(order).toMatchObject({ state: 'paid', received: 2000, refundDue: 1000 })
    expect(await damage(street)).toEqual([])
  })
})

describe('stk-answer-lost', () => {
  it('charges twice, because an error on the page looks like nothing happened', async () => {
    const street = await streets.open(NaiveShop, 'stk-answer-lost')
    const order = street.shop.placeOrder()
    await expect(street.shop.payByPhone(order)).rejects.toThrow()
    await street.shop.payByPhone(order)
    await street.pass('5m')
    expect(await damage(street)).toEqual([
      'D1 was charged 1000 too much, unnoticed.',
      'The book says that KES 1000 came in, the wallet says KES 2000.',
    ])
  })

  it.each(['lost', 'reset'])('is asked for by the name that the shop gave it: %s', async (answer) => {
    const street = await streets.open(CarefulShop, 'stk-answer-lost', { answer })
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
  it('loses the sale: the request was refused, and the customer looks at a phone that does not ring', async () => {
    const { street, order } = await streets.sell(NaiveShop, 'stk-text-limits', '5m')
    expect(order.message).toBe(LOOK_AT_YOUR_PHONE)
    expect((await street.world.control('GET', '/payments')).total).toBe(0)
  })

  it('is kept to', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'stk-text-limits', '5m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})

describe('collection-reversed', () => {
  it('leaves a book that says paid, and a wallet that is empty', async () => {
    const street = await streets.open(NaiveShop, 'collection-reversed')
    await street.shop.payByPhone(street.shop.placeOrder({ price: 1000 }))
    await street.shop.payByPhone(street.shop.placeOrder({ price: 999 }))
    await street.pass('1d')
    expect(await damage(street)).toEqual([])
    await street.pass('1d')
    await street.pass('1m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that KES 1999 came in, the wallet says KES 999.',
    ])
  })

  it('is booked out again, and the order is owed', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'collection-reversed', '1m', { after: '12h' })
    expect(order).toMatchObject({ state: 'paid', received: 1000 })
    await street.pass('1d')
    expect(order).toMatchObject({ state: 'owed', received: 0 })
    expect(await damage(street)).toEqual([])
  })
})
