/** The payout was accepted, and in the end the money is not where it should be. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { grace, jane, mercy, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const DAY_S = 86_400

describe('bank-name-mismatch', () => {
  /** She has married; the bank knows her new name, and the department the old one. */
  const married: Payee = { way: 'bank', name: 'Jane Wanjiku Kamau', bankCode: '0068', account: '0123456789' }
  it("tells a person of a careful one the bank's reason, and the corrected order is paid", async () => {
    const office = await open({ scenario: 'bank-name-mismatch' })
    const salary = office.payroll.owe(married, 52_000)
    await office.payroll.shift()
    const payroll = office.payroll
    expect([...payroll.todo]).toEqual(['Jane Wanjiku Kamau: Beneficiary name does not match'])
    expect(payroll.payslips.size).toBe(0)
    payroll.reopen(salary, { ...married, name: 'Jane Wanjiku Mwangi' })
    await payroll.shift()
    expect(await office.received(married)).toBe(52_000)
    await office.expectTrueBook()
  })
})

describe('wrong-bank-code', () => {
  /** 0068, with its digits swapped. */
  const swapped: Payee = { ...grace, bankCode: '0086' } as Payee
  it('is handed to a person by a careful one, and paid with the right code', async () => {
    const office = await open({ scenario: 'wrong-bank-code' })
    const salary = office.payroll.owe(swapped, 61_000)
    await office.payroll.shift()
    const payroll = office.payroll
    expect([...payroll.todo]).toEqual(['Grace Njeri: No bank has this code'])
    payroll.reopen(salary, grace)
    await payroll.shift()
    expect(paid(salary)).toBe(61_000)
    await office.expectTrueBook()
  })
})

describe('recycled-number', () => {
  it('is seen by a careful one in the record', async () => {
    const office = await open({ scenario: 'recycled-number' })
    for (const payee of [jane, peter]) office.payroll.owe(payee, 33_000)
    await office.payroll.shift()
    expect([...office.payroll.todo]).toEqual(['Peter Odhiambo: the money went to KEVIN BARASA WAFULA'])
    await office.expectTrueBook()
  })
})

describe('float-runs-dry', () => {
  /** The rail has 100,000 shillings for three salaries of 45,000. */
  it('costs the third employee of a careful one a day', async () => {
    const office = await open({ scenario: 'float-runs-dry' })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 45_000)
    await office.payroll.shift()
    // The provider tops its float up for the next day.
    await office.world.control('POST', '/floats/fund', { amount: 200_000 })
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    await office.time.pause(60)
    expect(await office.received(mercy)).toBe(45_000)
    await office.expectTrueBook()
  })
})

describe('late-reversal', () => {
  /** Two suppliers are paid, and two days later the bank and the network take it back. */
  const hardware: Payee = { ...grace, name: 'Umoja Hardware Ltd' } as Payee
  const kiosk: Payee = { way: 'till', name: 'Mama Njeri Kiosk', number: '567890' }
  it('is booked by a careful one, and a person decides how to pay', async () => {
    const office = await open({ scenario: 'late-reversal' })
    const orders = [hardware, kiosk].map((payee) => office.payroll.owe(payee, 15_000, 'Invoice 77'))
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([15_000, 15_000])
    await office.time.pause(3 * DAY_S)
    expect(orders.map(paid)).toEqual([0, 0])
    expect([...office.payroll.todo].sort()).toEqual([
      'Mama Njeri Kiosk: the money was taken back',
      'Umoja Hardware Ltd: the money was taken back',
    ])
    await office.expectTrueBook()
  })
})

describe('failed-then-paid', () => {
  it('is waited for by a careful one', async () => {
    const office = await open({ scenario: 'failed-then-paid' })
    const salary = office.payroll.owe(jane, 30_000)
    await office.payroll.shift()
    expect(salary).toMatchObject({ state: 'open', payments: [{ state: 'failed' }] })
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    expect(await office.received(jane)).toBe(30_000)
    expect(paid(salary)).toBe(30_000)
    await office.expectTrueBook()
  })
})
