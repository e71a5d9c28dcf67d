/** What a callback says, and whether to believe it: words that nobody announced, and signatures that are not right. */
import { describe, expect, it } from 'vitest'
import { damage, useStreets } from './support.ts'

const streets = useStreets()

describe('callback-while-pending', () => {
  it('is no reason to do anything', async () => {
    const { street, order } = await streets.sell('callback-while-pending', '10s')
    expect((await street.world.control('GET', '/callbacks')).counts.delivered).toBe(1)
    expect(order.state).toBe('waiting')
    await street.pass('5m')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-unknown-status', () => {
  it('is a reason to read the record, which says FAILED', async () => {
    const { street, order } = await streets.sell('callback-unknown-status', '5m', {
      status: 'UNDER_REVIEW',
    })
    expect(order.state).toBe('waiting')
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-forged', () => {
  const flaws = ['old-secret', 'none', 'altered-body', 'stale-timestamp', 'missing-header']

  it.each(flaws)('is turned away: %s', async (flaw) => {
    const { street } = await streets.sell('callback-forged', '1h', { flaw })
    const callback = await street.world.control('GET', '/callbacks/1')
    expect(callback).toMatchObject({ state: 'failed', attempts: 5 })
    expect(callback.tries.map(({ status }: { status: number }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(street.shop.shipped).toEqual([])
    expect(await damage(street)).toEqual([])
  })
})

describe('callback-secret-rotated', () => {
  it('is made up for by asking', async () => {
    const street = await streets.open('callback-secret-rotated')
    for (let i = 0; i < 4; i++) await street.shop.payByPhone(street.shop.placeOrder())
    await street.pass('5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ pending: 3, delivered: 1 })
    expect(await damage(street)).toEqual([])
  })
})
