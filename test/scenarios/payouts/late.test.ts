/** Nothing fails, and it takes longer than somebody has patience. */
import { describe, expect, it } from 'vitest'
import { paid } from '../payroll/book.ts'
import { daniel, grace, jane, mercy, type Office, peter, usePayroll } from './support.ts'

const { open } = usePayroll()
const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

/** What the department paid and nobody was owed. */
async function overpaid(office: Office): Promise<number> {
  let total = 0
  for (const { payee, amount } of office.payroll.book.orders) total += (await office.received(payee)) - amount
  return total
}

describe('slow-rails', () => {
  it('is only a late afternoon to a careful one', async () => {
    const office = await open({ scenario: 'slow-rails' })
    for (const payee of [jane, peter, grace, daniel]) office.payroll.owe(payee, 20_000)
    await office.payroll.shift()
    await office.time.pause(3 * HOUR_S)
    expect(office.payroll.book.orders.map(paid)).toEqual([20_000, 20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})

describe('month-end-rush', () => {
  it('does not hurry a careful one', async () => {
    const office = await open({ scenario: 'month-end-rush' })
    for (const payee of [jane, peter, mercy, grace, daniel]) office.payroll.owe(payee, 20_000)
    await office.payroll.shift()
    await office.time.pause(DAY_S)
    expect(await overpaid(office)).toBe(0)
    await office.expectTrueBook()
  })
})

describe('payday-before-holiday', () => {
  /** Friday, half past four. */
  it('leaves a careful one in peace', async () => {
    const office = await open({ scenario: 'payday-before-holiday' })
    office.payroll.owe(grace, 75_000)
    await office.payroll.shift()
    await office.time.pause(2 * DAY_S)
    await office.payroll.tidyUp()
    expect([...office.payroll.todo]).toEqual(['Grace Njeri: no news for a day'])
    await office.time.pause(2 * DAY_S)
    expect(await office.received(grace)).toBe(75_000)
    await office.expectTrueBook()
  })
})

describe('stuck-pending', () => {
  /** Whoever runs the rail finds the payouts and lets them go. */
  const letGo = async ({ world }: Office) => {
    const { payments } = await world.control('GET', '/payments?status=PENDING')
    for (const { uuid } of payments) await world.control('POST', `/payments/${uuid}/resolve`, { status: 'SUCCESS' })
    await world.advance('1s')
  }

  it('makes a careful one ask a person after a day', async () => {
    const office = await open({ scenario: 'stuck-pending' })
    office.payroll.owe(jane, 30_000)
    await office.payroll.shift()
    await office.time.pause(DAY_S)
    await office.payroll.tidyUp()
    expect(await office.made()).toBe(1)
    expect([...office.payroll.todo]).toEqual(['Jane Mwangi: no news for a day'])
    await letGo(office)
    await office.expectTrueBook()
  })
})
