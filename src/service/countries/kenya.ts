/**
 * Holidays that depend on the moon, listed by year: past ones as kept, future ones as calendars expect them. Assumed,
 * because the date is announced the evening before.
 */
import type { HolidayRule } from '../../core/model/calendar.ts'
import { eastAfrican, type ServedCountry, words } from './served-country.ts'

export const eidAlFitr = {
  name: 'Eid al-Fitr',
  dates: words('2023-04-21 2024-04-10 2025-03-31 2026-03-20 2027-03-10 2028-02-27 2029-02-15 2030-02-05'),
} as const satisfies HolidayRule

export const eidAlAdha = {
  name: 'Eid al-Adha',
  dates: words('2023-06-28 2024-06-17 2025-06-06 2026-05-27 2027-05-17 2028-05-05 2029-04-24 2030-04-14'),
} as const satisfies HolidayRule

export const maulid = {
  name: 'Maulid',
  dates: words('2023-09-28 2024-09-16 2025-09-05 2026-08-26 2027-08-15 2028-08-04 2029-07-24 2030-07-14'),
} as const satisfies HolidayRule

export const kenya = {
  code: 'KE',
  zone: eastAfrican('Africa/Nairobi'),
  // Public law; assumed to hold for banks.
  holidays: {
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
  },
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
