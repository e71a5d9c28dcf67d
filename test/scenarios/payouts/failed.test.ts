/** The payout was accepted, and in the end the money is not where it should be. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { Careful, type Edition, grace, jane, mercy, Naive, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const DAY_S = 86_400

describe('bank-name-mismatch', () => {
  /** She has married; the bank knows her new name, and the department the old one. */
  const married: Payee = { way: 'bank', name: 'Jane Wanjiku Kamau', bankCode: '0068', account: '0123456789' }
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'bank-name-mismatch', edition })
    const salary = office.payroll.owe(married, 52_000)
    await office.payroll.shift()
    return { office, payroll: office.payroll, salary }
  }

  it('leaves an employee of a naive department with a payslip and no money', async () => {
    const { office, payroll } = await payday(Naive)
    expect(payroll.payslips).toContain('Jane Wanjiku Kamau')
    expect(await office.received(married)).toBe(0)
    await payroll.shift()
    expect(await office.received(married)).toBe(0)
    expect([...payroll.todo]).toEqual([])
  })

  it("tells a person of a careful one the bank's reason, and the corrected order is paid", async () => {
    const { office, payroll, salary } = await payday(Careful)
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
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'wrong-bank-code', edition })
    const salary = office.payroll.owe(swapped, 61_000)
    await office.payroll.shift()
    return { office, payroll: office.payroll, salary }
  }

  it('is "paid" to a naive department, half an hour before the money comes back', async () => {
    const { office, payroll, salary } = await payday(Naive)
    expect(payroll.payslips).toContain('Grace Njeri')
    await payroll.shift()
    expect(await office.received(swapped)).toBe(0)
    expect(salary).toMatchObject({ state: 'closed', note: '' })
  })

  it('is handed to a person by a careful one, and paid with the right code', async () => {
    const { office, payroll, salary } = await payday(Careful)
    expect([...payroll.todo]).toEqual(['Grace Njeri: No bank has this code'])
    payroll.reopen(salary, grace)
    await payroll.shift()
    expect(paid(salary)).toBe(61_000)
    await office.expectTrueBook()
  })
})

describe('recycled-number', () => {
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'recycled-number', edition })
    for (const payee of [jane, peter]) office.payroll.owe(payee, 33_000)
    await office.payroll.shift()
    return office
  }

  it('is a salary paid to a stranger that a naive department never hears of', async () => {
    const office = await payday(Naive)
    expect(office.payroll.payslips).toContain('Peter Odhiambo')
    expect([...office.payroll.todo]).toEqual([])
  })

  it('is seen by a careful one in the record', async () => {
    const office = await payday(Careful)
    expect([...office.payroll.todo]).toEqual(['Peter Odhiambo: the money went to KEVIN BARASA WAFULA'])
    await office.expectTrueBook()
  })
})

describe('float-runs-dry', () => {
  /** The rail has 100,000 shillings for three salaries of 45,000. */
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'float-runs-dry', edition })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 45_000)
    await office.payroll.shift()
    // The provider tops its float up for the next day.
    await office.world.control('POST', '/floats/fund', { amount: 200_000 })
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    return office
  }

  it('leaves the third employee of a naive department unpaid for good', async () => {
    const office = await payday(Naive)
    expect(await office.received(mercy)).toBe(0)
    expect(office.payroll.payslips).toContain(mercy.name)
    expect(await office.wallet()).toBe(1_000_000 - 90_000)
  })

  it('costs the third employee of a careful one a day', async () => {
    const office = await payday(Careful)
    await office.time.pause(60)
    expect(await office.received(mercy)).toBe(45_000)
    await office.expectTrueBook()
  })
})

describe('late-reversal', () => {
  /** Two suppliers are paid, and two days later the bank and the network take it back. */
  const hardware: Payee = { ...grace, name: 'Umoja Hardware Ltd' } as Payee
  const kiosk: Payee = { way: 'till', name: 'Mama Njeri Kiosk', number: '567890' }
  const invoices = async (edition: Edition) => {
    const office = await open({ scenario: 'late-reversal', edition })
    const orders = [hardware, kiosk].map((payee) => office.payroll.owe(payee, 15_000, 'Invoice 77'))
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([15_000, 15_000])
    await office.time.pause(3 * DAY_S)
    return { office, orders }
  }

  it('is heard by a naive department and thrown away: its book says paid for ever', async () => {
    const { office, orders } = await invoices(Naive)
    expect(await office.received(hardware)).toBe(0)
    expect(orders.map(paid)).toEqual([15_000, 15_000])
    expect((await office.wallet()) - office.payroll.book.balance).toBe(30_000)
  })

  it('is booked by a careful one, and a person decides how to pay', async () => {
    const { office, orders } = await invoices(Careful)
    expect(orders.map(paid)).toEqual([0, 0])
    expect([...office.payroll.todo].sort()).toEqual([
      'Mama Njeri Kiosk: the money was taken back',
      'Umoja Hardware Ltd: the money was taken back',
    ])
    await office.expectTrueBook()
  })
})

describe('failed-then-paid', () => {
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'failed-then-paid', edition })
    const salary = office.payroll.owe(jane, 30_000)
    await office.payroll.shift()
    return { office, salary }
  }

  it('is paid a second time by whoever reads the failures of a naive department', async () => {
    const { office, salary } = await payday(Naive)
    expect(salary.state).toBe('closed')
    office.payroll.owe(jane, 30_000, 'Salary January, once more')
    await office.payroll.shift()
    await office.time.pause(DAY_S)
    expect(await office.received(jane)).toBe(60_000)
    expect(office.payroll.book.orders.map(paid)).toEqual([0, 0])
  })

  it('is waited for by a careful one', async () => {
    const { office, salary } = await payday(Careful)
    expect(salary).toMatchObject({ state: 'open', payments: [{ state: 'failed' }] })
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    expect(await office.received(jane)).toBe(30_000)
    expect(paid(salary)).toBe(30_000)
    await office.expectTrueBook()
  })
})
