import { MINUTE_US, type Zone } from '../../core/model/calendar.ts'
import { Countries, type Country, type Dates } from '../../core/model/country.ts'

interface ServedCountry extends Country {
  example: object
}

function eastAfrican(name: string): Zone {
  return { name, offsetUs: 3 * 60 * MINUTE_US }
}

function words(written: string): string[] {
  return written.trim().split(/\s+/)
}

/** Each a day of every year, days from Easter, or dates: those that depend on the moon are announced, not computed. */
type Holidays = Readonly<Record<string, string | number | readonly string[]>>

const DAY_MS = 86_400_000

function datesOf(holidays: Holidays, { sundaysMove }: { sundaysMove: boolean }): Dates {
  return { has: (date) => datesIn(date.slice(0, 4), holidays, sundaysMove).has(date) }
}

function datesIn(year: string, holidays: Holidays, sundaysMove: boolean): ReadonlySet<string> {
  const dates = Object.values(holidays).flatMap((when) => {
    if (typeof when === 'string') return `${year}-${when}`
    return typeof when === 'number' ? dateOf(easterMs(Number(year)) + when * DAY_MS) : when
  })
  const kept = new Set(dates)
  for (const date of sundaysMove ? dates : []) {
    if (new Date(date).getUTCDay() !== 0) continue
    let next = date
    while (kept.has(next)) next = dateOf(Date.parse(next) + DAY_MS)
    kept.add(next)
  }
  return kept
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

const eidAlFitr = words('2023-04-21 2024-04-10 2025-03-31 2026-03-20 2027-03-10 2028-02-27 2029-02-15 2030-02-05')

const eidAlAdha = words('2023-06-28 2024-06-17 2025-06-06 2026-05-27 2027-05-17 2028-05-05 2029-04-24 2030-04-14')

const maulid = words('2023-09-28 2024-09-16 2025-09-05 2026-08-26 2027-08-15 2028-08-04 2029-07-24 2030-07-14')

export const kenya = {
  code: 'KE',
  zone: eastAfrican('Africa/Nairobi'),
  // Public law; assumed to hold for banks.
  holidays: datesOf(
    {
      'New Year': '01-01',
      'Good Friday': -2,
      'Easter Monday': 1,
      'Labour Day': '05-01',
      'Madaraka Day': '06-01',
      'Mazingira Day': '10-10',
      'Mashujaa Day': '10-20',
      'Jamhuri Day': '12-12',
      'Christmas Day': '12-25',
      'Boxing Day': '12-26',
      'Eid al-Fitr': eidAlFitr,
      'Eid al-Adha': eidAlAdha,
    },
    { sundaysMove: true },
  ),
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
  holidays: datesOf(
    {
      'New Year': '01-01',
      'Zanzibar Revolution Day': '01-12',
      'Karume Day': '04-07',
      'Good Friday': -2,
      'Easter Monday': 1,
      'Union Day': '04-26',
      'Workers Day': '05-01',
      'Saba Saba': '07-07',
      'Nane Nane': '08-08',
      'Nyerere Day': '10-14',
      'Independence Day': '12-09',
      'Christmas Day': '12-25',
      'Boxing Day': '12-26',
      'Eid al-Fitr': eidAlFitr,
      'Eid al-Adha': eidAlAdha,
      Maulid: maulid,
    },
    { sundaysMove: false },
  ),
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
  holidays: datesOf(
    {
      'New Year': '01-01',
      'Liberation Day': '01-26',
      'Archbishop Janani Luwum Day': '02-16',
      'Womens Day': '03-08',
      'Good Friday': -2,
      'Easter Monday': 1,
      'Labour Day': '05-01',
      'Martyrs Day': '06-03',
      'Heroes Day': '06-09',
      'Independence Day': '10-09',
      'Christmas Day': '12-25',
      'Boxing Day': '12-26',
      'Eid al-Fitr': eidAlFitr,
      'Eid al-Adha': eidAlAdha,
    },
    { sundaysMove: false },
  ),
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
