/** A day on which all goes well: what the first version was tested with. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { Careful, daniel, grace, jane, Naive, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const water: Payee = { way: 'paybill', name: 'Maji Safi', number: '400200', account: 'A-77' }
const kiosk: Payee = { way: 'till', name: 'Mama Njeri Kiosk', number: '567890' }

describe('default', () => {
  it.each([
    ['naive', Naive],
    ['careful', Careful],
  ] as const)('is an easy day for a %s department', async (_, edition) => {
    const office = await open({ scenario: 'default', edition })
    const { payroll } = office
    for (const payee of [jane, peter, grace, daniel]) payroll.owe(payee, 40_000)
    for (const payee of [water, kiosk]) payroll.owe(payee, 6_500, 'January')
    await payroll.shift()
    expect(payroll.book.orders.map(paid)).toEqual([40_000, 40_000, 40_000, 40_000, 6_500, 6_500])
    expect(payroll.payslips.size).toBe(6)
    await office.expectTrueBook()
  })

  it('has a number for what can go wrong: here one that is not registered', async () => {
    const brian: Payee = { way: 'phone', name: 'Brian Mutiso', phone: '254745000404' }
    const office = await open({ scenario: 'default', edition: Naive })
    const salary = office.payroll.owe(brian, 40_000)
    await office.payroll.shift()
    expect(office.payroll.payslips).toContain('Brian Mutiso')
    expect(paid(salary)).toBe(0)
  })
})
