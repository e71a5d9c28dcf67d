/** No token to be had, or one that is no good any more in the middle of the work. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import type { Time } from '../payroll/service.ts'
import { daniel, grace, jane, mercy, peter, usePayroll } from './support.ts'

const { open, hire } = usePayroll()

describe('token-expires-mid-batch', () => {
  const payday = async (paceS: number) => {
    const office = await open({ scenario: 'token-expires-mid-batch', paceS })
    const orders = [jane, peter, mercy, grace, daniel].map((payee) => office.payroll.owe(payee, 20_000))
    return { office, orders }
  }

  it.each([0, 20])('does not stop a careful one, %d seconds apart', async (paceS) => {
    const { office, orders } = await payday(paceS)
    await office.payroll.run()
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})

describe('one-token-at-a-time', () => {
  /** Two programs with the same key. Whenever salaries makes a pause, suppliers has its turn. */
  it('costs careful programs one more login', async () => {
    const office = await open({ scenario: 'one-token-at-a-time' })
    const { baseUrl, credentials } = office.world
    const { time } = office
    const suppliers = await hire({ name: 'suppliers', baseUrl, credentials, time, openingBalance: 0 })
    const inTurns: Time = {
      now: () => time.now(),
      deadline: (seconds) => time.deadline(seconds),
      pause: async (seconds) => {
        await suppliers.run()
        await time.pause(seconds)
      },
    }
    const setup = { name: 'salaries', baseUrl, credentials, time: inTurns, openingBalance: 0, paceS: 5 }
    const salaries = await hire(setup)
    const maji: Payee = { way: 'paybill', name: 'Maji Safi', number: '400200', account: 'A-77' }
    const orders = [salaries.owe(jane, 20_000), salaries.owe(peter, 20_000), suppliers.owe(maji, 4_000, 'Water')]
    await salaries.run()
    expect(orders.map(paid)).toEqual([20_000, 20_000, 4_000])
  })
})

describe('login-down', () => {
  it('is a matter of trying again for a careful one', async () => {
    const office = await open({ scenario: 'login-down' })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 20_000))
    await office.payroll.shift()
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})
