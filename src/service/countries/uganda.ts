import { eidAlAdha, eidAlFitr } from './kenya.ts'
import { eastAfrican, type ServedCountry, words } from './served-country.ts'

export const uganda = {
  code: 'UG',
  zone: eastAfrican('Africa/Kampala'),
  // Public law; assumed to hold for banks.
  holidays: {
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
  },
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
