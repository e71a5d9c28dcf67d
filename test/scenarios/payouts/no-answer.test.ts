/** The payout was made, and the merchant does not get to know. */
import { describe, expect, it } from 'vitest'
import { paid } from '../payroll/book.ts'
import { jane, mercy, peter, usePayroll } from './support.ts'

const { open } = usePayroll()

describe('payout-times-out', () => {
  /** Jane's payout is made, but the answer does not come; Peter's is an ordinary one. */
  it('lets a careful one find the payout in the list, and pay nobody twice', async () => {
    const office = await open({ scenario: 'payout-times-out' })
    const { payroll } = office
    const orders = [payroll.owe(jane, 30_000), payroll.owe(peter, 28_000)] as const
    const working = payroll.shift()
    await office.until(1)
    // Half a minute later the department gives up waiting.
    await office.time.pause(30)
    await working
    expect(await office.received(jane)).toBe(30_000)
    expect(orders.map(paid)).toEqual([30_000, 28_000])
    await office.expectTrueBook()
  })
})

describe('executed-but-503', () => {
  it('lets a careful one pay everybody once', async () => {
    const office = await open({ scenario: 'executed-but-503' })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 25_000))
    await office.payroll.shift()
    expect(await office.made()).toBe(3)
    expect(orders.map(paid)).toEqual([25_000, 25_000, 25_000])
    await office.expectTrueBook()
  })
})

describe('answer-breaks-off', () => {
  it('is one unknown payment to a careful one, until the list shows it', async () => {
    const office = await open({ scenario: 'answer-breaks-off' })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 25_000))
    await office.payroll.run()
    expect(orders.map(({ payments }) => payments[0]?.state)).toEqual(['sent', 'unknown', 'sent'])
    await office.payroll.shift()
    expect(orders.map(paid)).toEqual([25_000, 25_000, 25_000])
    await office.expectTrueBook()
  })
})
