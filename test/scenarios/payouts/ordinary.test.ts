/** A day on which all goes well. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { daniel, grace, jane, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const water: Payee = { way: 'paybill', name: 'Maji Safi', number: '400200', account: 'A-77' }
const kiosk: Payee = { way: 'till', name: 'Mama Njeri Kiosk', number: '567890' }

describe('default', () => {
  it('is an easy day', async () => {
    const office = await open({ scenario: 'default' })
    const { payroll } = office
    for (const payee of [jane, peter, grace, daniel]) payroll.owe(payee, 40_000)
    for (const payee of [water, kiosk]) payroll.owe(payee, 6_500, 'January')
    await payroll.shift()
    expect(payroll.book.orders.map(paid)).toEqual([40_000, 40_000, 40_000, 40_000, 6_500, 6_500])
    expect(payroll.payslips.size).toBe(6)
    await office.expectTrueBook()
  })
})
