/** The service says no, and means: not now, not so, or not like this. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { grace, jane, mercy, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const DAY_S = 86_400

describe('insufficient-funds', () => {
  /** The wallet holds 100 shillings on payday; the transfer that fills it arrives in time for the next day. */
  const payday = async (parameters = {}) => {
    const office = await open({ scenario: 'insufficient-funds', parameters })
    office.payroll.owe(jane, 30_000)
    await office.payroll.shift()
    await office.world.control('POST', '/wallets/fund', { currency: 'KES', amount: 50_000 })
    office.payroll.book.move(50_000)
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    await office.time.pause(60)
    return office
  }

  it.each(['at-creation', 'at-settlement'])('makes a careful one wait for the money (told %s)', async (check) => {
    const office = await payday({ check })
    expect(await office.received(jane)).toBe(30_000)
    await office.expectTrueBook()
  })
})

describe('tzs-minimum', () => {
  /** A salary and an allowance in Dar es Salaam. */
  const asha: Payee = { way: 'phone', name: 'Asha Mushi', phone: '255711000100' }
  const payday = async (parameters = {}) => {
    const office = await open({ scenario: 'tzs-minimum', currency: 'TZS', parameters })
    const orders = [office.payroll.owe(asha, 600_000), office.payroll.owe(asha, 600, 'Airtime')] as const
    await office.payroll.shift()
    return { office, orders }
  }

  it("gives a careful one's person the operator's words, and two allowances at once pass", async () => {
    const { office, orders } = await payday()
    expect([...office.payroll.todo]).toEqual(['Asha Mushi: Minimum TZS payout is 1000'])
    orders[1].amount += 600
    office.payroll.reopen(orders[1])
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([600_000, 1_200])
    await office.expectTrueBook()
  })

  it('pays no allowance that another code refuses', async () => {
    const { office, orders } = await payday({ way: 'other-code' })
    expect(orders.map(paid)).toEqual([600_000, 0])
    await office.expectTrueBook()
  })

  it('is seen by a careful one when the payout fails later', async () => {
    const { office, orders } = await payday({ way: 'later' })
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([600_000, 0])
    await office.expectTrueBook()
  })
})

describe('payout-limits', () => {
  /** A bonus of 600,000 shillings, to a phone. */
  it('is paid by a careful one in parts, the last of them tomorrow', async () => {
    const office = await open({ scenario: 'payout-limits', tariff: { largestPayout: 250_000 } })
    const order = office.payroll.owe(jane, 600_000, 'Bonus')
    await office.payroll.shift()
    expect(order.payments.map(({ amount }) => amount)).toEqual([250_000, 250_000])
    expect(office.payroll.payslips.size).toBe(0)
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    expect(await office.received(jane)).toBe(600_000)
    expect(office.payroll.payslips.size).toBe(1)
    await office.expectTrueBook()
  })
})

describe('rate-limited', () => {
  /** Eight salaries, one right after the other. */
  it('makes a careful one wait for a minute, and pays all', async () => {
    const office = await open({ scenario: 'rate-limited' })
    for (let i = 1; i <= 8; i++)
      office.payroll.owe({ way: 'phone', name: `Employee ${i}`, phone: `25474500010${i}` }, 10_000)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual(Array(8).fill(10_000))
    await office.expectTrueBook()
  })
})

describe('references-are-unique', () => {
  it('is no news to a careful one', async () => {
    const office = await open({ scenario: 'references-are-unique' })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 22_000)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 22_000, 22_000])
    await office.expectTrueBook()
  })
})

describe('payee-busy', () => {
  /** Salary and travel expenses of two people, on one day. */
  it('puts them off for an hour in a careful one', async () => {
    const office = await open({ scenario: 'payee-busy' })
    for (const payee of [jane, grace]) {
      office.payroll.owe(payee, 22_000)
      office.payroll.owe(payee, 4_500, 'Travel')
    }
    await office.payroll.shift()
    await office.time.pause(60)
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 4_500, 22_000, 4_500])
    await office.expectTrueBook()
  })
})

describe('errors-in-flat-form', () => {
  /** A number that was typed in from a business card, and two good ones. */
  const mistyped: Payee = { way: 'phone', name: 'Brian Mutiso', phone: '0745123456' }
  it('is read by a careful one all the same', async () => {
    const office = await open({ scenario: 'errors-in-flat-form' })
    for (const payee of [jane, mistyped, peter]) office.payroll.owe(payee, 22_000)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 0, 22_000])
    expect([...office.payroll.todo]).toEqual(['Brian Mutiso: Invalid field value'])
    await office.expectTrueBook()
  })
})
