/** A payer who is there: somebody answers the prompt on the handset, or nobody does. */
import { describe, expect, it } from 'vitest'
import { damage, type Street, useStreets } from './support.ts'

const streets = useStreets()

/** The prompt that came last is answered. */
async function answer({ world }: Street, reply: string): Promise<void> {
  const { phones } = await world.control('GET', '/handset')
  const { phone, prompts } = await world.control('GET', `/handset/${phones[0].phone}`)
  await world.control('POST', `/handset/${phone}/${prompts[0].id}`, { answer: reply })
}

describe('handset', () => {
  it('is paid when the payer says so, and not before', async () => {
    const { street, order } = await streets.sell('handset', '45s')
    expect(street.shop.shipped).toEqual([])
    await answer(street, 'approve')
    await street.pass('1m')
    expect(street.shop.shipped).toEqual([order])
    expect(await damage(street)).toEqual([])
  })

  it('rings until it times out, and the customer who comes back pays the next prompt', async () => {
    const { street, order } = await streets.sell('handset', '31s', { rings: '30s' })
    expect(order.message).toBe('No response from user. Please try again.')
    await street.shop.payByPhone(order)
    await answer(street, 'approve')
    await street.pass('1m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })

  it('asks on the phone for what is paid on the page', async () => {
    const street = await streets.open('handset')
    const order = street.shop.placeOrder()
    const address = await street.shop.payOnTheWeb(order)
    await fetch(address ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'pay', method: 'MPESA_STK', phoneNumber: '0712345678' }),
    })
    await street.pass('50s')
    expect(order.state).toBe('waiting')
    await answer(street, 'approve')
    await street.pass('1m')
    expect(order.state).toBe('paid')
    expect(await damage(street)).toEqual([])
  })
})
