/** The shop's own side of a callback: too slow to answer, or not there. */
import { describe, expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { CarefulShop } from '../shop/careful-shop.ts'
import { NaiveShop } from '../shop/naive-shop.ts'
import { damage, useStreets } from './support.ts'

const time = alarms()
const streets = useStreets(time)
const impatient = { patience: '3s', attempts: 2 }

describe('receiver-slow', () => {
  it('is told again while the courier is still on the way, and calls another one', async () => {
    const street = await streets.open(NaiveShop, 'receiver-slow', impatient)
    const courier = Promise.withResolvers<void>()
    street.shop.courier = () => {
      // By then the service has lost its patience.
      time.pass(3_000)
      return courier.promise
    }
    await street.shop.payByPhone(street.shop.placeOrder())
    await street.world.advance('1m')
    courier.resolve()
    await expect.poll(() => street.shop.shipped.length).toBe(2)
    expect(await damage(street)).toEqual([
      'D1 was shipped 2 times.',
      'The book says that KES 2000 came in, the wallet says KES 1000.',
    ])
  })

  it('answers first and works after, however slow the courier is', async () => {
    const street = await streets.open(CarefulShop, 'receiver-slow', impatient)
    const courier = Promise.withResolvers<void>()
    street.shop.courier = () => courier.promise
    await street.shop.payByPhone(street.shop.placeOrder())
    await street.world.advance('1m')
    expect(await street.world.control('GET', '/callbacks/1')).toMatchObject({ state: 'delivered', attempts: 1 })
    courier.resolve()
    await street.shop.atRest()
    expect(await damage(street)).toEqual([])
  })
})

describe('receiver-down', () => {
  it('never hears of those who paid meanwhile', async () => {
    const street = await streets.open(NaiveShop, 'receiver-down')
    await street.shop.payByPhone(street.shop.placeOrder())
    street.shop.down = true
    await street.world.advance('25m')
    street.shop.down = false
    await street.pass('1h')
    expect(await street.world.control('GET', '/callbacks/1')).toMatchObject({ state: 'failed', attempts: 3 })
    expect(await damage(street)).toEqual([
      'D1 is paid and was never shipped.',
      'D1 is paid, and its customer reads: Your order was cancelled.',
      'The book says that KES 0 came in, the wallet says KES 1000.',
    ])
  })

  it('catches up by asking', async () => {
    const street = await streets.open(CarefulShop, 'receiver-down', { attempts: 1 })
    await street.shop.payByPhone(street.shop.placeOrder())
    street.shop.down = true
    await street.world.advance('25m')
    street.shop.down = false
    await street.pass('5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ failed: 1, delivered: 0 })
    expect(await damage(street)).toEqual([])
  })
})
