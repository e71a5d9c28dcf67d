/** A shop in Dar es Salaam, whose payers' networks have words of their own. */
import { describe, expect, it } from 'vitest'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

describe('tz-accepted-not-paid', () => {
  it('is not over yet for a shop that knows one word for money', async () => {
    const street = await streets.open('tz-accepted-not-paid', { after: '10m' }, 'Tanzania')
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
