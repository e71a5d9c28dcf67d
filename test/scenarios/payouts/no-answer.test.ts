/** The payout was made, and the merchant does not get to know. */
import { describe, expect, it } from 'vitest'
import { paid } from '../payroll/book.ts'
import { Careful, type Edition, jane, mercy, Naive, peter, usePayroll } from './support.ts'

const { open } = usePayroll()

describe('payout-times-out', () => {
  /** Jane's payout is made, but the answer does not come; Peter's is an ordinary one. */
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'payout-times-out', edition })
    const { payroll } = office
    const orders = [payroll.owe(jane, 30_000), payroll.owe(peter, 28_000)] as const
    const working = payroll.shift()
    await office.until(1)
    // Half a minute later the department gives up waiting.
    await office.time.pause(30)
    await working
    return { office, orders }
  }

  it('makes a naive department pay a salary twice', async () => {
    const { office, orders } = await payday(Naive)
    expect(await office.received(jane)).toBe(60_000)
    expect(paid(orders[0])).toBe(30_000)
    expect(office.payroll.book.balance - (await office.wallet())).toBe(30_000)
  })

  it('lets a careful one find the payout in the list, and pay nobody twice', async () => {
    const { office, orders } = await payday(Careful)
    expect(await office.received(jane)).toBe(30_000)
    expect(orders.map(paid)).toEqual([30_000, 28_000])
    await office.expectTrueBook()
  })
})

describe('executed-but-503', () => {
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'executed-but-503', edition })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 25_000))
    await office.payroll.shift()
    return { office, orders }
  }

  it('makes a naive department pay the third salary twice', async () => {
    const { office, orders } = await payday(Naive)
    expect(await office.received(mercy)).toBe(50_000)
    expect(orders.map(paid)).toEqual([25_000, 25_000, 25_000])
    expect(office.payroll.book.balance - (await office.wallet())).toBe(25_000)
  })

  it('lets a careful one pay everybody once', async () => {
    const { office, orders } = await payday(Careful)
    expect(await office.made()).toBe(3)
    expect(orders.map(paid)).toEqual([25_000, 25_000, 25_000])
    await office.expectTrueBook()
  })

  it('makes a naive department pay three times and book nothing, when every payout meets it', async () => {
    const office = await open({ scenario: 'executed-but-503', edition: Naive, parameters: { every: 1 } })
    const salary = office.payroll.owe(jane, 25_000)
    await expect(office.payroll.run()).rejects.toThrow('The service is down')
    await office.time.pause(5)
    expect(await office.received(jane)).toBe(75_000)
    expect(paid(salary)).toBe(0)
  })
})

describe('answer-breaks-off', () => {
  const batch = async (edition: Edition) => {
    const office = await open({ scenario: 'answer-breaks-off', edition })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 25_000))
    return { office, orders }
  }

  it('ends the batch of a naive department, which pays the second salary again the next time', async () => {
    const { office, orders } = await batch(Naive)
    await expect(office.payroll.run()).rejects.toThrow('terminated')
    expect(orders.map(({ payments }) => payments.length)).toEqual([1, 0, 0])
    await office.payroll.shift()
    expect(await office.received(peter)).toBe(50_000)
    expect(paid(orders[1] as (typeof orders)[0])).toBe(25_000)
  })

  it('is one unknown payment to a careful one, until the list shows it', async () => {
    const { office, orders } = await batch(Careful)
    await office.payroll.run()
    expect(orders.map(({ payments }) => payments[0]?.state)).toEqual(['sent', 'unknown', 'sent'])
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([25_000, 25_000, 25_000])
    await office.expectTrueBook()
  })
})
