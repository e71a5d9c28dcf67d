/** The service says no, and means: not now, not so, or not like this. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import { Careful, type Edition, grace, jane, mercy, Naive, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const DAY_S = 86_400

describe('insufficient-funds', () => {
  /** The wallet holds 100 shillings on payday; the transfer that fills it arrives in time for the next day. */
  const payday = async (edition: Edition, parameters = {}) => {
    const office = await open({ scenario: 'insufficient-funds', edition, parameters })
    office.payroll.owe(jane, 30_000)
    await office.payroll.shift()
    await office.world.control('POST', '/wallets/fund', { currency: 'KES', amount: 50_000 })
    office.payroll.book.move(50_000)
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    await office.time.pause(60)
    return office
  }

  it('is the end of a salary in a naive department, although the money comes', async () => {
    const office = await payday(Naive)
    expect(await office.received(jane)).toBe(0)
    expect(office.payroll.book.orders).toMatchObject([{ state: 'closed', note: 'Insufficient funds' }])
  })

  it('looks like a paid salary to a naive one, when it is only told at settlement', async () => {
    const office = await payday(Naive, { check: 'at-settlement' })
    expect(await office.received(jane)).toBe(0)
    expect(office.payroll.payslips).toContain('Jane Mwangi')
  })

  it.each(['at-creation', 'at-settlement'])('makes a careful one wait for the money (told %s)', async (check) => {
    const office = await payday(Careful, { check })
    expect(await office.received(jane)).toBe(30_000)
    await office.expectTrueBook()
  })
})

describe('tzs-minimum', () => {
  /** A salary and an allowance in Dar es Salaam. */
  const asha: Payee = { way: 'phone', name: 'Asha Mushi', phone: '255711000100' }
  const payday = async (edition: Edition, parameters = {}) => {
    const office = await open({ scenario: 'tzs-minimum', edition, currency: 'TZS', parameters })
    const orders = [office.payroll.owe(asha, 600_000), office.payroll.owe(asha, 600, 'Airtime')] as const
    await office.payroll.shift()
    return { office, orders }
  }

  it('leaves the allowance in a log of a naive department', async () => {
    const { office, orders } = await payday(Naive)
    expect(orders.map(paid)).toEqual([600_000, 0])
    expect(orders[1]).toMatchObject({ state: 'closed', note: 'Minimum TZS payout is 1000' })
    expect([...office.payroll.todo]).toEqual([])
  })

  it("gives a careful one's person the operator's words, and two allowances at once pass", async () => {
    const { office, orders } = await payday(Careful)
    expect([...office.payroll.todo]).toEqual(['Asha Mushi: Minimum TZS payout is 1000'])
    orders[1].amount += 600
    office.payroll.reopen(orders[1])
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([600_000, 1_200])
    await office.expectTrueBook()
  })

  it('pays no allowance that another code refuses', async () => {
    const { office, orders } = await payday(Careful, { way: 'other-code' })
    expect(orders.map(paid)).toEqual([600_000, 0])
    await office.expectTrueBook()
  })

  it('is seen by a careful one when the payout fails later', async () => {
    const { office, orders } = await payday(Careful, { way: 'later' })
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([600_000, 0])
    await office.expectTrueBook()
  })
})

describe('payout-limits', () => {
  /** A bonus of 600,000 shillings, to a phone. */
  const bonus = async (edition: Edition) => {
    const office = await open({ scenario: 'payout-limits', edition, tariff: { largestPayout: 250_000 } })
    const order = office.payroll.owe(jane, 600_000, 'Bonus')
    await office.payroll.shift()
    return { office, order }
  }

  it('is not paid by a naive department, and nobody asks why', async () => {
    const { office, order } = await bonus(Naive)
    await office.time.pause(DAY_S)
    await office.payroll.shift()
    expect(await office.received(jane)).toBe(0)
    expect(order).toMatchObject({ state: 'closed', note: 'Payment limit exceeded' })
  })

  it('is paid by a careful one in parts, the last of them tomorrow', async () => {
    const { office, order } = await bonus(Careful)
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
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'rate-limited', edition })
    for (let i = 1; i <= 8; i++)
      office.payroll.owe({ way: 'phone', name: `Employee ${i}`, phone: `25474500010${i}` }, 10_000)
    await office.payroll.shift()
    return office
  }

  it('pays five of eight in a naive department', async () => {
    const office = await payday(Naive)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual([...Array(5).fill(10_000), 0, 0, 0])
    expect(office.payroll.book.orders.at(-1)).toMatchObject({ state: 'closed', note: 'Too many requests' })
  })

  it('makes a careful one wait for a minute, and pays all', async () => {
    const office = await payday(Careful)
    expect(office.payroll.book.orders.map(paid)).toEqual(Array(8).fill(10_000))
    await office.expectTrueBook()
  })
})

describe('references-are-unique', () => {
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'references-are-unique', edition })
    for (const payee of [jane, peter, mercy]) office.payroll.owe(payee, 22_000)
    await office.payroll.shift()
    return office
  }

  it('lets a naive department pay its first employee and nobody else', async () => {
    const office = await payday(Naive)
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 0, 0])
  })

  it('is no news to a careful one', async () => {
    const office = await payday(Careful)
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 22_000, 22_000])
    await office.expectTrueBook()
  })
})

describe('payee-busy', () => {
  /** Salary and travel expenses of two people, on one day. */
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'payee-busy', edition })
    for (const payee of [jane, grace]) {
      office.payroll.owe(payee, 22_000)
      office.payroll.owe(payee, 4_500, 'Travel')
    }
    await office.payroll.shift()
    await office.time.pause(60)
    return office
  }

  it('loses the travel expenses in a naive department', async () => {
    const office = await payday(Naive)
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 0, 22_000, 0])
    expect(office.payroll.book.orders[1]).toMatchObject({ state: 'closed', note: 'Resource is locked' })
  })

  it('puts them off for an hour in a careful one', async () => {
    const office = await payday(Careful)
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 4_500, 22_000, 4_500])
    await office.expectTrueBook()
  })
})

describe('errors-in-flat-form', () => {
  /** A number that was typed in from a business card, and two good ones. */
  const mistyped: Payee = { way: 'phone', name: 'Brian Mutiso', phone: '0745123456' }
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'errors-in-flat-form', edition })
    for (const payee of [jane, mistyped, peter]) office.payroll.owe(payee, 22_000)
    return office
  }

  it('ends the batch of a naive department with an exception', async () => {
    const office = await payday(Naive)
    await expect(office.payroll.run()).rejects.toThrow(TypeError)
    await office.time.pause(60)
    expect(await office.received(peter)).toBe(0)
  })

  it('is read by a careful one all the same', async () => {
    const office = await payday(Careful)
    await office.payroll.shift()
    expect(office.payroll.book.orders.map(paid)).toEqual([22_000, 0, 22_000])
    expect([...office.payroll.todo]).toEqual(['Brian Mutiso: Invalid field value'])
    await office.expectTrueBook()
  })
})
