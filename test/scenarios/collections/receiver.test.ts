/** The shop's own side of a callback: too slow to answer, or not there. */
import { describe, expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { damage, useStreets } from './support.ts'

const time = alarms()
const streets = useStreets(time)
const impatient = { patience: '3s', attempts: 2 }

describe('receiver-slow', () => {
  it('answers first and works after, however slow the courier is', async () => {
    const street = await streets.open('receiver-slow', impatient)
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
  it('catches up by asking', async () => {
    const street = await streets.open('receiver-down', { attempts: 1 })
    await street.shop.payByPhone(street.shop.placeOrder())
    street.shop.down = true
    await street.world.advance('25m')
    street.shop.down = false
    await street.pass('5m')
    expect((await street.world.control('GET', '/callbacks')).counts).toMatchObject({ failed: 1, delivered: 0 })
    expect(await damage(street)).toEqual([])
  })
})
