/** A part of the rails does not work. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { daniel, grace, jane, usePayroll } from './support.ts'

const { open } = usePayroll()
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

describe('weekend-maintenance', () => {
  /** Friday, three minutes to ten at night: three bank accounts and a phone, a hundred seconds apart. */
  const esther: Payee = { way: 'bank', name: 'Esther Chebet', bankCode: '0001', account: '01234567890123' }
  it('lets a careful one pay phones on Friday and the bank on Monday', async () => {
    const office = await open({ scenario: 'weekend-maintenance', paceS: 100 })
    const orders = [grace, daniel, esther, jane].map((payee) => office.payroll.owe(payee, 40_000))
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([40_000, 40_000, 0, 40_000])
    await office.time.pause(2 * DAY_S + 8 * HOUR_S)
    await office.payroll.shift()
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([40_000, 40_000, 40_000, 40_000])
    await office.expectTrueBook()
  })
})

describe('partial-outage', () => {
  it('concerns one customer of that bank in a careful one, until the bank is back', async () => {
    const office = await open({ scenario: 'partial-outage' })
    const orders = [daniel, grace, jane].map((payee) => office.payroll.owe(payee, 40_000))
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([0, 40_000, 40_000])
    await office.world.control('PUT', '/scenario', { name: 'repaired', description: 'The bank is back.' })
    await office.payroll.shift()
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([40_000, 40_000, 40_000])
    await office.expectTrueBook()
  })
})

describe('flaky-rail', () => {
  /** Fifty people with phones. */
  it('takes a careful one a second day, and everybody is paid once', async () => {
    const office = await open({ scenario: 'flaky-rail' })
    for (let i = 0; i < 50; i++)
      office.payroll.owe(
        { way: 'phone', name: `Employee ${i}`, phone: `2547450001${String(i).padStart(2, '0')}` },
        10_000,
      )
    await office.payroll.shift()
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    await office.time.pause(HOUR_S)
    expect(office.payroll.book.orders.map(paid)).toEqual(Array(50).fill(10_000))
    await office.expectTrueBook()
  })
})
