/** The token is no good any more, in the middle of the work. */
import { describe, expect, it } from 'vitest'
import { paid } from '../payroll/book.ts'
import { amina, Careful, daniel, type Edition, grace, jane, Naive, peter, usePayroll } from './support.ts'

const { open, hire } = usePayroll()

describe('token-expires-mid-batch', () => {
  /** Five salaries, twenty seconds apart. */
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'token-expires-mid-batch', edition, paceS: 20 })
    const orders = [jane, peter, amina, grace, daniel].map((payee) => office.payroll.owe(payee, 20_000))
    return { office, orders }
  }

  it('stops the batch of a naive department after three of five', async () => {
    const { office, orders } = await payday(Naive)
    await expect(office.payroll.run()).rejects.toThrow('The service does not let us in')
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000, 0, 0])
    expect(await office.received(grace)).toBe(0)
  })

  it('does not stop a careful one', async () => {
    const { office, orders } = await payday(Careful)
    await office.payroll.run()
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})

describe('one-token-at-a-time', () => {
  /** Salaries and suppliers are paid by two programs with the same key, at the same time. */
  const twoPrograms = async (edition: Edition) => {
    const office = await open({ scenario: 'one-token-at-a-time', edition })
    const { payroll, world, time } = office
    const { baseUrl, credentials } = world
    const suppliers = await hire(edition, { name: 'suppliers', baseUrl, credentials, time, openingBalance: 0 })
    const salaries = [payroll.owe(jane, 20_000), payroll.owe(peter, 20_000)] as const
    const water = suppliers.owe(
      { way: 'paybill', name: 'Maji Safi', number: '400200', account: 'A-77' },
      4_000,
      'Water',
    )
    return { office, suppliers, salaries, water }
  }

  it('locks a naive program out when the other one starts', async () => {
    const { office, suppliers, salaries } = await twoPrograms(Naive)
    await office.payroll.run()
    await suppliers.run()
    const bonus = office.payroll.owe(jane, 5_000, 'Bonus')
    await expect(office.payroll.run()).rejects.toThrow('The service does not let us in')
    await office.time.pause(5)
    expect([...salaries, bonus].map(paid)).toEqual([20_000, 20_000, 0])
  })

  it('costs careful programs a login each', async () => {
    const { office, suppliers, salaries, water } = await twoPrograms(Careful)
    await office.payroll.run()
    await suppliers.run()
    const bonus = office.payroll.owe(jane, 5_000, 'Bonus')
    await office.payroll.run()
    await office.time.pause(5)
    expect([...salaries, bonus, water].map(paid)).toEqual([20_000, 20_000, 5_000, 4_000])
    // Two programs, one wallet.
    office.payroll.book.move(-4_000)
    await office.expectTrueBook()
  })
})
