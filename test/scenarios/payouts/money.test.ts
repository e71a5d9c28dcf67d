/** More left the wallet than anybody asked for. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { daniel, grace, jane, mercy, peter, usePayroll } from './support.ts'

const { open } = usePayroll()

describe('fees-come-on-top', () => {
  /** Three salaries of 20,000 shillings, and 60,000 in the wallet. */
  const esther: Payee = { way: 'bank', name: 'Esther Chebet', bankCode: '0001', account: '01234567890123' }
  it('is booked by a careful one from the records, and the last salary waits for 135 shillings', async () => {
    const office = await open({ scenario: 'fees-come-on-top' })
    for (const payee of [grace, daniel, esther]) office.payroll.owe(payee, 20_000)
    await office.payroll.shift()
    await office.expectTrueBook()
    await office.world.control('POST', '/wallets/fund', { currency: 'KES', amount: 135 })
    office.payroll.book.move(135)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual([20_000, 20_000, 20_000])
    expect(await office.wallet()).toBe(0)
    await office.expectTrueBook()
  })
})

describe('executed-twice', () => {
  it('is found by a careful one on the same day', async () => {
    const office = await open({ scenario: 'executed-twice' })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 18_000)
    await office.payroll.shift()
    expect([...office.payroll.todo]).toEqual(['Mercy Mutua: the service paid payroll-3/1 once more'])
    await office.expectTrueBook()
  })
})
