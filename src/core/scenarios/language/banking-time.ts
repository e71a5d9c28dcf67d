/** Banking time: it passes only while banks are open, not on weekends and holidays. */
import type { Zone } from '../../model/calendar.ts'
import { DAY_US, MINUTE_US, parseTimeOfDay, startOfDay } from '../../model/calendar.ts'
import type { Countries } from '../../model/country.ts'
import type { BankingUnit } from '../../model/delays.ts'
import type { Currency } from '../../model/money.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import { nextOpening } from './hours.ts'

export interface BankingHours {
  opensAt: number
  closesAt: number
}

export const USUAL_HOURS = '08:00..16:00'

export const bankingHoursPattern = /^(?:[01]\d|2[0-3]):[0-5]\d\.\.(?:[01]\d|2[0-3]):[0-5]\d$/

/** Undefined when banks would never open. */
export function parseBankingHours(text: string): BankingHours | undefined {
  const [opensAt = 0, closesAt = 0] = text.split('..').map((time) => parseTimeOfDay(time) ?? 0)
  return opensAt < closesAt ? { opensAt, closesAt } : undefined
}

export type Dates = Pick<ReadonlySet<string>, 'has'>

export function holidaysFor(own: readonly string[] | undefined, countries: Countries): (currency: Currency) => Dates {
  if (!own) return (currency) => countries.holidaysOf(countries.ofCurrency(currency).code)
  const dates = new Set(own)
  const tables = own.filter((one) => countries.codes.includes(one)).map((code) => countries.holidaysOf(code))
  const all: Dates = { has: (date) => dates.has(date) || tables.some((table) => table.has(date)) }
  return () => all
}

export class BankingTime {
  readonly zone: Zone
  readonly holidaysOf: (currency: Currency) => Dates
  readonly #hours: BankingHours

  constructor(zone: Zone, hours: BankingHours, holidaysOf: (currency: Currency) => Dates) {
    this.zone = zone
    this.holidaysOf = holidaysOf
    this.#hours = hours
  }

  /** A banking day of `amountUs` is as long as banks are open on one day. */
  openTime(unit: BankingUnit, amountUs: DurationUs): DurationUs {
    if (unit === 'hours') return amountUs
    const dayUs = (this.#hours.closesAt - this.#hours.opensAt) * MINUTE_US
    return Math.round((amountUs / DAY_US) * dayUs)
  }

  /**
   * When `openUs` of banking time has passed. While banks are closed it counts from the next opening. What would end at
   * closing time ends at the next opening, so a whole day from 10:00 ends at 10:00 of the next banking day.
   */
  after(fromUs: InstantUs, openUs: DurationUs, currency: Currency): InstantUs {
    const { opensAt, closesAt } = this.#hours
    const opening = { opensAt, cutOffAt: closesAt, weekends: false, holidays: this.holidaysOf(currency) }
    let leftUs = openUs
    let beginUs = nextOpening(opening, fromUs, this.zone.offsetUs)
    for (;;) {
      const closesUs = startOfDay(beginUs, this.zone.offsetUs) + closesAt * MINUTE_US
      if (leftUs < closesUs - beginUs) return beginUs + leftUs
      leftUs -= closesUs - beginUs
      beginUs = nextOpening(opening, closesUs, this.zone.offsetUs)
    }
  }
}
