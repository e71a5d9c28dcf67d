/** Time as banks count it: only while they are open, on days that are neither weekends nor holidays. */
import type { Zone } from '../../model/calendar.ts'
import { DAY_US, MINUTE_US, parseTimeOfDay, startOfDay } from '../../model/calendar.ts'
import type { Countries } from '../../model/country.ts'
import type { BankingUnit } from '../../model/delays.ts'
import type { Currency } from '../../model/money.ts'
import type { DurationUs, InstantUs } from '../../model/time.ts'
import { nextOpening } from './hours.ts'

/** Minutes since midnight. */
export interface BankingHours {
  opensAt: number
  closesAt: number
}

/** Assumed. */
export const USUAL_HOURS = '08:00..16:00'

/** The text form, for the schema. */
export const bankingHoursPattern = /^(?:[01]\d|2[0-3]):[0-5]\d\.\.(?:[01]\d|2[0-3]):[0-5]\d$/

/** Reads `08:00..16:00`; undefined where banks would never be open. */
export function parseBankingHours(text: string): BankingHours | undefined {
  const [opensAt = 0, closesAt = 0] = text.split('..').map((time) => parseTimeOfDay(time) ?? 0)
  return opensAt < closesAt ? { opensAt, closesAt } : undefined
}

/** Dates on which nothing opens. */
export type Dates = Pick<ReadonlySet<string>, 'has'>

/** The holidays of a scenario: its own list of dates and countries, or those of the country whose money it is. */
export function holidaysFor(own: readonly string[] | undefined, countries: Countries): (currency: Currency) => Dates {
  if (!own) return (currency) => countries.holidaysOf(countries.ofCurrency(currency).code)
  const dates = new Set(own)
  const tables = own.filter((one) => countries.codes.includes(one)).map((code) => countries.holidaysOf(code))
  const all: Dates = { has: (date) => dates.has(date) || tables.some((table) => table.has(date)) }
  return () => all
}

/** When the banks of a scenario are open. */
export class BankingTime {
  readonly zone: Zone
  readonly holidaysOf: (currency: Currency) => Dates
  readonly #hours: BankingHours

  constructor(zone: Zone, hours: BankingHours, holidaysOf: (currency: Currency) => Dates) {
    this.zone = zone
    this.holidaysOf = holidaysOf
    this.#hours = hours
  }

  /** Open time of so many banking days or hours; a day of `amountUs` is a whole one. */
  openTime(unit: BankingUnit, amountUs: DurationUs): DurationUs {
    if (unit === 'hours') return amountUs
    const dayUs = (this.#hours.closesAt - this.#hours.opensAt) * MINUTE_US
    return Math.round((amountUs / DAY_US) * dayUs)
  }

  /**
   * The instant by which banks have been open for so long. What comes while they are shut counts from their next
   * opening; what would be done as they shut is done as they open again. So a whole day from ten o'clock is ten o'clock
   * of the next banking day.
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
