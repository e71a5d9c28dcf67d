/** Opens a payroll department in a world of a shipped scenario, on a clock that the test moves. */
import { afterAll, afterEach, expect } from 'vitest'
import { formatInstant } from '../../../src/core/model/time.ts'
import { scenarioLibrary } from '../../../src/hosts/node/scenarios.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { MetRules } from '../met-rules.ts'
import { type Payee, paid } from '../payroll/book.ts'
import { Department, type Setup, type Tariff } from '../payroll/department.ts'
import type { Time } from '../payroll/service.ts'

/** The department's time is the world's: while it waits, the world goes on. */
class WorldTime implements Time {
  readonly #world: TestWorld
  readonly #deadlines: { atS: number; controller: AbortController }[] = []
  #nowS = 0

  constructor(world: TestWorld) {
    this.#world = world
  }

  now(): number {
    return this.#nowS
  }

  async pause(seconds: number): Promise<void> {
    this.#nowS += seconds
    await this.#world.advance(`${seconds}s`)
    for (const { atS, controller } of this.#deadlines) if (atS <= this.#nowS) controller.abort()
  }

  deadline(seconds: number): AbortSignal {
    const controller = new AbortController()
    this.#deadlines.push({ atS: this.#nowS + seconds, controller })
    return controller.signal
  }
}

/** What a story needs to be told. */
export interface Story {
  scenario: string
  /** Knobs of the scenario that this story turns. */
  parameters?: Record<string, string | number | boolean>
  paceS?: number
  currency?: 'KES' | 'TZS'
  tariff?: Tariff
}

/** A department at work, seen from outside. */
export class Office {
  readonly world: TestWorld
  readonly time: WorldTime
  readonly payroll: Department
  readonly #currency: string

  constructor(world: TestWorld, time: WorldTime, payroll: Department, currency: string) {
    this.world = world
    this.time = time
    this.payroll = payroll
    this.#currency = currency
  }

  /** What the department's wallet really holds. */
  wallet(): Promise<number> {
    return this.world.available(this.#currency, this.payroll.companyId)
  }

  /** What really reached somebody. */
  async received(payee: Payee): Promise<number> {
    const address = payee.way === 'phone' ? payee.phone : 'account' in payee ? payee.account : payee.number
    const { payments } = await this.world.control('GET', `/payments?status=SUCCESS&search=${address}&limit=1000`)
    return payments.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)
  }

  /** Holds the books of all who work here against the ledger: nothing is wrong with them. */
  async expectReconciled(staff: readonly Department[]): Promise<void> {
    const { findings } = await this.world.control('POST', '/reconcile', staff.flatMap(booksOf))
    expect(findings).toEqual([])
  }

  /** How many payments the service has made, ended or not. */
  async made(): Promise<number> {
    return (await this.world.control('GET', '/payments?limit=1')).total
  }

  /** Resolves when the service has made so many payments. */
  async until(made: number): Promise<void> {
    await expect.poll(() => this.made()).toBe(made)
  }

  /** Expects that the book says what the wallet holds and what every payee has. */
  async expectTrueBook(): Promise<void> {
    const { orders, balance } = this.payroll.book
    expect(balance, 'the wallet').toBe(await this.wallet())
    for (const payee of new Set(orders.map((order) => order.payee))) {
      const booked = orders.filter((order) => order.payee === payee).reduce((sum, order) => sum + paid(order), 0)
      expect(booked, payee.name).toBe(await this.received(payee))
    }
  }
}

/** For a test file: a bench, and departments that close with the test. */
export function usePayroll(): { open(story: Story): Promise<Office>; hire: typeof hire } {
  const bench = useBench()
  const opened: Department[] = []
  const worlds: TestWorld[] = []
  const offices: Office[] = []
  const met = new MetRules(['send-money', 'till', 'paybill', 'bank-payout', 'allocation'])
  afterEach(async () => {
    for (const office of offices.splice(0)) {
      const staff = opened.filter(({ baseUrl }) => baseUrl === office.world.baseUrl)
      await office.expectReconciled(staff)
    }
    await Promise.all(opened.splice(0).map((department) => department.close()))
    for (const world of worlds.splice(0)) await met.note(world)
  })
  afterAll(() => {
    expect(met.unmet, 'rules that no story of this file met').toEqual([])
  })
  const hired = async (setup: Setup) => {
    const department = await hire(setup)
    opened.push(department)
    return department
  }
  return {
    hire: hired,
    async open({ scenario, parameters, paceS, currency = 'KES', tariff }) {
      const { startUs } = scenarioLibrary().shipped(scenario, parameters).clock
      const start = startUs === null ? `${START}Z` : `${formatInstant(startUs)}Z`
      const world = await bench.world({ scenario, parameters, clock: { mode: 'frozen', start } })
      worlds.push(world)
      const time = new WorldTime(world)
      const { baseUrl, credentials } = world
      const openingBalance = await world.available(currency)
      const payroll = await hired({ baseUrl, credentials, time, openingBalance, paceS, tariff })
      const office = new Office(world, time, payroll, currency)
      offices.push(office)
      return office
    },
  }
}

async function hire(setup: Setup): Promise<Department> {
  const department = new Department(setup)
  await department.open()
  return department
}

const kinds = { phone: 'send-money', bank: 'bank-payout', till: 'till', paybill: 'paybill' } as const
const statuses = { unknown: 'PENDING', sent: 'PENDING', paid: 'SUCCESS', failed: 'FAILED' } as const

/** What a department believes of every payment that it asked for. */
function booksOf({ book }: Department): object[] {
  return book.orders.flatMap(({ payee, payments }) =>
    payments.map(({ reference, requestId, amount, fee, state }) => ({
      ...(reference && { reference }),
      ...(requestId && { requestId }),
      kind: kinds[payee.way],
      amount,
      ...(fee > 0 && { fee }),
      status: statuses[state],
    })),
  )
}

export const jane: Payee = { way: 'phone', name: 'Jane Mwangi', phone: '254711000100' }
export const peter: Payee = { way: 'phone', name: 'Peter Odhiambo', phone: '254711000101' }
export const mercy: Payee = { way: 'phone', name: 'Mercy Mutua', phone: '254745000003' }
export const grace: Payee = { way: 'bank', name: 'Grace Njeri', bankCode: '0068', account: '01900012345678' }
export const daniel: Payee = { way: 'bank', name: 'Daniel Kiptoo', bankCode: '0011', account: '01109000456700' }
