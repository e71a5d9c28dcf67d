/** A shop in Dar es Salaam, whose payers' networks have words of their own. */
import { describe, expect, it } from 'vitest'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

describe('tz-accepted-not-paid', () => {
  it('ships for nothing, because accepted sounds like paid', async () => {
    const street = await streets.open(NaiveShop, 'tz-accepted-not-paid', {}, 'Tanzania')
    const order = street.shop.placeOrder({ price: 25_000 })
    await street.shop.payByPhone(order)
    await street.shop.claimPaid(order)
    await street.pass('5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that TZS 25000 came in, the wallet says TZS 0.',
    ])
  })

  it('is not over yet for a shop that knows one word for money', async () => {
    const street = await streets.open(CarefulShop, 'tz-accepted-not-paid', { after: '10m' }, 'Tanzania')
    const order = street.shop.placeOrder({ price: 25_000 })
    await street.shop.payByPhone(order)
    await street.pass('5m')
    await street.shop.claimPaid(order)
    expect(order.message).toBe('Your first payment is still under way.')
    await street.pass('6m')
    expect(order.message).toBe('Request cancelled by user. Please try again.')
    expect(await damage(street)).toEqual([])
  })
})
