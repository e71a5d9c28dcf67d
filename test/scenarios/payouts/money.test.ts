/** More left the wallet than anybody asked for. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { Careful, daniel, type Edition, grace, jane, mercy, Naive, peter, usePayroll } from './support.ts'

const { open } = usePayroll()

describe('fees-come-on-top', () => {
  /** Three salaries of 20,000 shillings, and 60,000 in the wallet. */
  const esther: Payee = { way: 'bank', name: 'Esther Chebet', bankCode: '0001', account: '01234567890123' }
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'fees-come-on-top', edition })
    for (const payee of [grace, daniel, esther]) office.payroll.owe(payee, 20_000)
    await office.payroll.shift()
    return office
  }

  it('leaves a naive department with an unpaid salary and a book that is wrong', async () => {
    const office = await payday(Naive)
    expect(office.payroll.book.orders.map(paid)).toEqual([20_000, 20_000, 0])
    expect(office.payroll.book.balance).toBe(20_000)
    expect(await office.wallet()).toBe(19_910)
  })

  it('is booked by a careful one from the records, and the last salary waits for 135 shillings', async () => {
    const office = await payday(Careful)
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
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'executed-twice', edition })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 18_000)
    await office.payroll.shift()
    return office
  }

  it('is 18,000 shillings that a naive department never finds', async () => {
    const office = await payday(Naive)
    expect(await office.received(mercy)).toBe(36_000)
    expect(office.payroll.book.balance - (await office.wallet())).toBe(18_000)
    expect([...office.payroll.todo]).toEqual([])
  })

  it('is found by a careful one on the same day', async () => {
    const office = await payday(Careful)
    expect([...office.payroll.todo]).toEqual(['Mercy Mutua: the service paid payroll-3/1 once more'])
    await office.expectTrueBook()
  })
})
