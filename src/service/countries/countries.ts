import { MINUTE_US, type Zone } from '../../core/model/calendar.ts'
import { Countries, type Country } from '../../core/model/country.ts'

interface ServedCountry extends Country {
  holidays: Holidays
  example: object
}

function eastAfrican(name: string): Zone {
  return { name, offsetUs: 3 * 60 * MINUTE_US }
}

function words(written: string): string[] {
  return written.trim().split(/\s+/)
}

/** Holidays that depend on the moon are listed by date, because they are announced and cannot be computed. */
type HolidayRule =
  | {
      name: string
      on: string
      from?: number
      until?: number
    }
  | { name: string; daysFromEaster: number }
  | { name: string; dates: readonly string[] }

interface HolidayRules {
  list: readonly HolidayRule[]
  sundaysMove: boolean
}

const DAY_MS = 86_400_000

class Holidays {
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

// Holidays that depend on the moon, listed by year: past ones as kept, future ones as calendars expect them. Assumed,
// because the date is announced the evening before.

const eidAlFitr = {
  name: 'Eid al-Fitr',
  dates: words('2023-04-21 2024-04-10 2025-03-31 2026-03-20 2027-03-10 2028-02-27 2029-02-15 2030-02-05'),
} as const satisfies HolidayRule

const eidAlAdha = {
  name: 'Eid al-Adha',
  dates: words('2023-06-28 2024-06-17 2025-06-06 2026-05-27 2027-05-17 2028-05-05 2029-04-24 2030-04-14'),
} as const satisfies HolidayRule

const maulid = {
  name: 'Maulid',
  dates: words('2023-09-28 2024-09-16 2025-09-05 2026-08-26 2027-08-15 2028-08-04 2029-07-24 2030-07-14'),
} as const satisfies HolidayRule

export const kenya = {
  code: 'KE',
  zone: eastAfrican('Africa/Nairobi'),
  // Public law; assumed to hold for banks.
  holidays: new Holidays({
    sundaysMove: true,
    list: [
      { name: 'New Year', on: '01-01' },
      { name: 'Good Friday', daysFromEaster: -2 },
      { name: 'Easter Monday', daysFromEaster: 1 },
      { name: 'Labour Day', on: '05-01' },
      { name: 'Madaraka Day', on: '06-01' },
      { name: 'Mazingira Day', on: '10-10' },
      { name: 'Mashujaa Day', on: '10-20' },
      { name: 'Jamhuri Day', on: '12-12' },
      { name: 'Christmas Day', on: '12-25' },
      { name: 'Boxing Day', on: '12-26' },
      eidAlFitr,
      eidAlAdha,
    ],
  }),
  currency: 'KES',
  spelling: 'KSH',
  sign: 'Ksh',
  // Published in words; the ranges are assumed.
  phone: { prefix: '254', pattern: /^254[17]\d{8}$/, form: '254 and nine digits that start with 7 or 1' },
  networks: [
    { name: 'MPESA', prefixes: /^254(?:70|71|72|79|74[0-3568]|757|758|759|768|769|11[0-5])/, money: 'M-PESA' },
    { name: 'AIRTEL', prefixes: /^254(?:73|75[0-6]|762|78|10[0-8])/, money: 'Airtel Money' },
    { name: 'TELKOM', prefixes: /^254(?:77)/ },
  ],
  example: {},
  givenNames: words('JANE JOHN MARY PETER GRACE DAVID FAITH JAMES MERCY BRIAN ESTHER KEVIN LUCY DENNIS AMINA HASSAN'),
  surnames: words(`
    WANJIKU MWANGI OTIENO ACHIENG KAMAU NJERI KIPROTICH CHEBET
    MUTUA NDUKU BARASA NEKESA KARIUKI WAMBUI ABDI ODHIAMBO
  `),
} as const satisfies ServedCountry

export const tanzania = {
  code: 'TZ',
  zone: eastAfrican('Africa/Dar_es_Salaam'),
  // Public law; assumed to hold for banks.
  holidays: new Holidays({
    sundaysMove: false,
    list: [
      { name: 'New Year', on: '01-01' },
      { name: 'Zanzibar Revolution Day', on: '01-12' },
      { name: 'Karume Day', on: '04-07' },
      { name: 'Good Friday', daysFromEaster: -2 },
      { name: 'Easter Monday', daysFromEaster: 1 },
      { name: 'Union Day', on: '04-26' },
      { name: 'Workers Day', on: '05-01' },
      { name: 'Saba Saba', on: '07-07' },
      { name: 'Nane Nane', on: '08-08' },
      { name: 'Nyerere Day', on: '10-14' },
      { name: 'Independence Day', on: '12-09' },
      { name: 'Christmas Day', on: '12-25' },
      { name: 'Boxing Day', on: '12-26' },
      eidAlFitr,
      eidAlAdha,
      maulid,
    ],
  }),
  currency: 'TZS',
  spelling: 'TZS',
  sign: 'TSh',
  // Published in words; the ranges are assumed.
  phone: { prefix: '255', pattern: /^255[67]\d{8}$/, form: '255 and nine digits that start with 6 or 7' },
  networks: [
    { name: 'VODACOM', prefixes: /^255(?:74|75|76)/, money: 'M-PESA' },
    { name: 'TIGO', prefixes: /^255(?:65|67|71|77)/, money: 'Tigo Pesa' },
    { name: 'AIRTEL', prefixes: /^255(?:68|69|78)/, money: 'Airtel Money' },
    { name: 'HALOTEL', prefixes: /^255(?:61|62)/ },
  ],
  example: {
    phoneNumber: '255754362174',
    firstName: 'Jane',
    lastName: 'Mwangi',
    customerName: 'Jane Mwangi',
    narration: 'January wages',
    serviceCode: 'TZ-TIGO-B2C',
    channel: 'TZ-TIGO-C2B',
  },
  givenNames: words('ASHA JUMA NEEMA BARAKA ZAINABU SALUM REHEMA EMMANUEL MWAJUMA GODFREY HALIMA RASHIDI UPENDO FRANK'),
  surnames: words('MUSHI MASSAWE KIMARO MWAKASEGE SHIRIMA HAMISI MBWANA NGONYANI KOMBA LYIMO MREMA SAID MWINYI KASSIM'),
} as const satisfies ServedCountry

const uganda = {
  code: 'UG',
  zone: eastAfrican('Africa/Kampala'),
  // Public law; assumed to hold for banks.
  holidays: new Holidays({
    sundaysMove: false,
    list: [
      { name: 'New Year', on: '01-01' },
      { name: 'Liberation Day', on: '01-26' },
      { name: 'Archbishop Janani Luwum Day', on: '02-16' },
      { name: 'Womens Day', on: '03-08' },
      { name: 'Good Friday', daysFromEaster: -2 },
      { name: 'Easter Monday', daysFromEaster: 1 },
      { name: 'Labour Day', on: '05-01' },
      { name: 'Martyrs Day', on: '06-03' },
      { name: 'Heroes Day', on: '06-09' },
      { name: 'Independence Day', on: '10-09' },
      { name: 'Christmas Day', on: '12-25' },
      { name: 'Boxing Day', on: '12-26' },
      eidAlFitr,
      eidAlAdha,
    ],
  }),
  currency: 'UGX',
  spelling: 'UGX',
  sign: 'UGX ',
  // Published in words; the ranges are assumed.
  phone: { prefix: '256', pattern: /^2567\d{8}$/, form: '256 and nine digits that start with 7' },
  networks: [
    { name: 'MTN', prefixes: /^256(?:31|39|76|77|78)/ },
    { name: 'AIRTEL', prefixes: /^256(?:70|74|75)/, money: 'Airtel Money' },
  ],
  example: {
    phoneNumber: '256772362174',
    firstName: 'Jane',
    lastName: 'Mwangi',
    customerName: 'Jane Mwangi',
    narration: 'January wages',
  },
  givenNames: words('SARAH MOSES IRENE RONALD BRENDA IVAN PROSSY GEOFFREY STELLA ISAAC DORCUS DERRICK HARRIET FRED'),
  surnames: words(`
    NAKATO MUKASA OKELLO AKELLO SSEMAKULA NABIRYE TUMUSIIME
    KIRABO BYARUHANGA OPIO NALUBEGA WASSWA ATIM KATO
  `),
} as const satisfies ServedCountry

const list = [kenya, tanzania, uganda] as const

export const countries = new Countries(...list)

export type Spelling = (typeof list)[number]['spelling']
const [home, ...others] = list
export const spellings: [Spelling, ...Spelling[]] = [home.spelling, ...others.map(({ spelling }) => spelling)]

export function exampleIn(currency: string): object {
  return list.find((country) => country.currency === currency)?.example ?? {}
}
