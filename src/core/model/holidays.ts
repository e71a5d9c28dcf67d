/** Public holidays of a country: fixed dates, Easter, and moon sightings. */

/** Holidays that depend on the moon are listed by date, because they are announced and cannot be computed. */
export type HolidayRule =
  | {
      name: string
      on: string
      from?: number
      until?: number
    }
  | { name: string; daysFromEaster: number }
  | { name: string; dates: readonly string[] }

export interface HolidayRules {
  list: readonly HolidayRule[]
  sundaysMove: boolean
}

const DAY_MS = 86_400_000

export class Holidays {
  readonly #rules: HolidayRules
  readonly #years = new Map<number, ReadonlyMap<string, string>>()

  constructor(rules: HolidayRules) {
    this.#rules = rules
  }

  has(date: string): boolean {
    return this.ofYear(Number(date.slice(0, 4))).has(date)
  }

  ofYear(year: number): ReadonlyMap<string, string> {
    const known = this.#years.get(year)
    if (known) return known
    const made = holidaysOf(this.#rules, year)
    this.#years.set(year, made)
    return made
  }
}

function holidaysOf({ list, sundaysMove }: HolidayRules, year: number): ReadonlyMap<string, string> {
  const all = list.flatMap((rule) => datesIn(rule, year).map((date) => ({ date, name: rule.name })))
  const kept = new Map(all.map(({ date, name }) => [date, name]))
  for (const { date, name } of sundaysMove ? all : []) {
    if (new Date(date).getUTCDay() !== 0) continue
    let next = date
    while (kept.has(next)) next = dateOf(Date.parse(next) + DAY_MS)
    kept.set(next, `${name} (observed)`)
  }
  return new Map([...kept].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function datesIn(rule: HolidayRule, year: number): string[] {
  if ('dates' in rule) return rule.dates.filter((date) => date.startsWith(`${year}-`))
  if ('daysFromEaster' in rule) return [dateOf(easterMs(year) + rule.daysFromEaster * DAY_MS)]
  const { on, from = year, until = year } = rule
  return year >= from && year <= until ? [`${year}-${on}`] : []
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Gregorian Easter by the algorithm in Meeus. */
function easterMs(year: number): number {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - f + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const days = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(days / 31) - 1, (days % 31) + 1)
}
