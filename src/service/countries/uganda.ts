/** Uganda as the service pays there. */
import type { ServedCountry } from './served-country.ts'

export const uganda = {
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
  givenNames: [
    'SARAH',
    'MOSES',
    'IRENE',
    'RONALD',
    'BRENDA',
    'IVAN',
    'PROSSY',
    'GEOFFREY',
    'STELLA',
    'ISAAC',
    'DORCUS',
    'DERRICK',
    'HARRIET',
    'FRED',
  ],
  surnames: [
    'NAKATO',
    'MUKASA',
    'OKELLO',
    'AKELLO',
    'SSEMAKULA',
    'NABIRYE',
    'TUMUSIIME',
    'KIRABO',
    'BYARUHANGA',
    'OPIO',
    'NALUBEGA',
    'WASSWA',
    'ATIM',
    'KATO',
  ],
} as const satisfies ServedCountry
