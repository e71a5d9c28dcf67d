/** No token to be had, or one that is no good any more in the middle of the work. */
import { describe, expect, it } from 'vitest'
import { type Payee, paid } from '../payroll/book.ts'
import type { Time } from '../payroll/service.ts'
import { Careful, daniel, type Edition, grace, jane, mercy, Naive, peter, usePayroll } from './support.ts'

const { open, hire } = usePayroll()

describe('token-expires-mid-batch', () => {
  const payday = async (edition: Edition, paceS: number) => {
    const office = await open({ scenario: 'token-expires-mid-batch', edition, paceS })
    const orders = [jane, peter, mercy, grace, daniel].map((payee) => office.payroll.owe(payee, 20_000))
    return { office, orders }
  }

  it('stops the batch of a naive department after three of five', async () => {
    const { office, orders } = await payday(Naive, 20)
    await expect(office.payroll.run()).rejects.toThrow('The service does not let us in')
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000, 0, 0])
    expect(await office.received(grace)).toBe(0)
  })

  it.each([
    [Naive, 3],
    [Careful, 5],
  ])('comes in a batch that takes no time too: %o makes %i of five', async (edition, made) => {
    const { office } = await payday(edition, 0)
    await office.payroll.run().catch(() => {})
    expect(await office.made()).toBe(made)
  })

  it('does not stop a careful one', async () => {
    const { office, orders } = await payday(Careful, 20)
    await office.payroll.run()
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})

describe('one-token-at-a-time', () => {
  /** Two programs with the same key. Whenever salaries makes a pause, suppliers has its turn. */
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'one-token-at-a-time', edition })
    const { baseUrl, credentials } = office.world
    const { time } = office
    const suppliers = await hire(edition, { name: 'suppliers', baseUrl, credentials, time, openingBalance: 0 })
    const inTurns: Time = {
      now: () => time.now(),
      deadline: (seconds) => time.deadline(seconds),
      pause: async (seconds) => {
        await suppliers.run()
        await time.pause(seconds)
      },
    }
    const setup = { name: 'salaries', baseUrl, credentials, time: inTurns, openingBalance: 0, paceS: 5 }
    const salaries = await hire(edition, setup)
    const maji: Payee = { way: 'paybill', name: 'Maji Safi', number: '400200', account: 'A-77' }
    const orders = [salaries.owe(jane, 20_000), salaries.owe(peter, 20_000), suppliers.owe(maji, 4_000, 'Water')]
    return { salaries, orders }
  }

  it('locks a naive program out when the other one starts', async () => {
    const { salaries, orders } = await payday(Naive)
    await expect(salaries.run()).rejects.toThrow('The service does not let us in')
    expect(orders.map(paid)).toEqual([20_000, 0, 4_000])
  })

  it('costs careful programs one more login', async () => {
    const { salaries, orders } = await payday(Careful)
    await salaries.run()
    expect(orders.map(paid)).toEqual([20_000, 20_000, 4_000])
  })
})

describe('login-down', () => {
  const payday = async (edition: Edition) => {
    const office = await open({ scenario: 'login-down', edition })
    const orders = [jane, peter, mercy].map((payee) => office.payroll.owe(payee, 20_000))
    return { office, orders }
  }

  it('makes a naive department fall over before it has paid anybody', async () => {
    const { office } = await payday(Naive)
    await expect(office.payroll.run()).rejects.toThrow(TypeError)
    expect(await office.made()).toBe(0)
  })

  it('is a matter of trying again for a careful one', async () => {
    const { office, orders } = await payday(Careful)
    await office.payroll.shift()
    await office.time.pause(60)
    expect(orders.map(paid)).toEqual([20_000, 20_000, 20_000])
    await office.expectTrueBook()
  })
})
