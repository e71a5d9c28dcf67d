/** What a callback says, and whether to believe it: words that nobody announced, and signatures that are not right. */
import { describe, expect, it } from 'vitest'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import type { Told } from '../shop/shop.ts'
import { isFromTheService } from '../shop/signature.ts'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

describe('callback-while-pending', () => {
  it('is taken for money by a shop that knows no third word', async () => {
    const { street } = await streets.sell(NaiveShop, 'callback-while-pending', '5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that KES 1000 came in, the wallet says KES 0.',
    ])
  })

  it('is no reason to do anything', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'callback-while-pending', '10s')
    expect((await street.world.control('GET', '/callbacks')).counts.delivered).toBe(1)
    expect(order.state).toBe('waiting')
    await street.pass('5m')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-unknown-status', () => {
  it('is taken for money by a shop that only knows how failure is spelt', async () => {
    const { street } = await streets.sell(NaiveShop, 'callback-unknown-status', '5m')
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      'The book says that KES 1000 came in, the wallet says KES 0.',
    ])
  })

  it('is a reason to read the record, which says FAILED', async () => {
    const { street, order } = await streets.sell(CarefulShop, 'callback-unknown-status', '5m', {
      status: 'UNDER_REVIEW',
    })
    expect(order.state).toBe('waiting')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-forged', () => {
  const flaws = ['old-secret', 'none', 'altered-body', 'stale-timestamp', 'missing-header']

  it.each(flaws)('is believed, and goods are shipped for nothing: %s', async (flaw) => {
    const { street } = await streets.sell(NaiveShop, 'callback-forged', '5m', { flaw })
    const believed = flaw === 'altered-body' ? 91000 : 1000
    expect(await damage(street)).toEqual([
      'D1 was shipped and is not paid.',
      `The book says that KES ${believed} came in, the wallet says KES 0.`,
    ])
  })

  it.each(flaws)('is turned away: %s', async (flaw) => {
    const { street } = await streets.sell(CarefulShop, 'callback-forged', '1h', { flaw })
    const callback = await street.world.control('GET', '/callbacks/1')
    expect(callback).toMatchObject({ state: 'failed', attempts: 5 })
    expect(callback.tries.map(({ status }: { status: number }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(street.shop.shipped).toEqual([])
    expect(await damage(street)).toEqual([])
  })
})

/** Verifies, since somebody said that one should, and still waits to be told. */
class VerifyingShop extends NaiveShop {
  protected override async hear(told: Told): Promise<number> {
    return isFromTheService(told, this.settings) ? super.hear(told) : 401
  }
}

describe('callback-secret-rotated', () => {
  it('leaves those without goods whom a shop turned away that only verifies', async () => {
    const street = await streets.open(VerifyingShop, 'callback-secret-rotated', { count: 2 })
    for (let i = 0; i < 3; i++) await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('2h')
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'D2 is paid and was never shipped.',
      'D2 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 1000 came in, the wallet says KES 3000.',
    ])
  })

  it('is made up for by asking', async () => {
    const street = await streets.open(CarefulShop, 'callback-secret-rotated')
    for (let i = 0; i < 4; i++) await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ pending: 3, delivered: 1 })
    expect(await damage(street)).toEqual([])
  })
})
