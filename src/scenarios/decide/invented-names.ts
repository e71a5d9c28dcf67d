/** Names and networks for invented subscribers and businesses. */

export type Country = 'KE' | 'TZ' | 'UG'

/** By the number's country code; Kenya for any other. */
export function countryOf(phone: string): Country {
  if (phone.startsWith('255')) return 'TZ'
  return phone.startsWith('256') ? 'UG' : 'KE'
}

/** The first digits behind the country code, longest first where one begins another. */
const prefixes: [RegExp, string][] = [
  [/^254(?:70|71|72|79|74[0-3568]|757|758|759|768|769|11[0-5])/, 'MPESA'],
  [/^254(?:73|75[0-6]|762|78|10[0-8])/, 'AIRTEL'],
  [/^254(?:77)/, 'TELKOM'],
  [/^255(?:74|75|76)/, 'VODACOM'],
  [/^255(?:65|67|71|77)/, 'TIGO'],
  [/^255(?:68|69|78)/, 'AIRTEL'],
  [/^255(?:61|62)/, 'HALOTEL'],
  [/^256(?:70|74|75)/, 'AIRTEL'],
  [/^256(?:31|39|76|77|78)/, 'MTN'],
]
const firstNetwork: Record<Country, string> = { KE: 'MPESA', TZ: 'VODACOM', UG: 'MTN' }

/** The network of a number by its prefix; the country's largest when the prefix is nobody's. Numbers can be ported: assumed. */
export function networkOf(phone: string): string {
  return prefixes.find(([prefix]) => prefix.test(phone))?.[1] ?? firstNetwork[countryOf(phone)]
}

export const givenNames: Record<Country, readonly string[]> = {
  KE: [
    'JANE',
    'JOHN',
    'MARY',
    'PETER',
    'GRACE',
    'DAVID',
    'FAITH',
    'JAMES',
    'MERCY',
    'BRIAN',
    'ESTHER',
    'KEVIN',
    'LUCY',
    'DENNIS',
    'AMINA',
    'HASSAN',
  ],
  TZ: [
    'ASHA',
    'JUMA',
    'NEEMA',
    'BARAKA',
    'ZAINABU',
    'SALUM',
    'REHEMA',
    'EMMANUEL',
    'MWAJUMA',
    'GODFREY',
    'HALIMA',
    'RASHIDI',
    'UPENDO',
    'FRANK',
  ],
  UG: [
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
}

export const surnames: Record<Country, readonly string[]> = {
  KE: [
    'WANJIKU',
    'MWANGI',
    'OTIENO',
    'ACHIENG',
    'KAMAU',
    'NJERI',
    'KIPROTICH',
    'CHEBET',
    'MUTUA',
    'NDUKU',
    'BARASA',
    'NEKESA',
    'KARIUKI',
    'WAMBUI',
    'ABDI',
    'ODHIAMBO',
  ],
  TZ: [
    'MUSHI',
    'MASSAWE',
    'KIMARO',
    'MWAKASEGE',
    'SHIRIMA',
    'HAMISI',
    'MBWANA',
    'NGONYANI',
    'KOMBA',
    'LYIMO',
    'MREMA',
    'SAID',
    'MWINYI',
    'KASSIM',
  ],
  UG: [
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
}

export const businessNames: readonly string[] = [
  'MAJI SAFI WATER SUPPLIES',
  'UMOJA HARDWARE LTD',
  'BARAKA GENERAL STORES',
  'PWANI FRESH FOODS',
  'NURU ELECTRICALS',
  'SAVANNA BOOKS AND STATIONERY',
  'TUMAINI PHARMACY',
  'ZIWA FISH TRADERS',
  'MLIMA COFFEE GROWERS',
  'JENGA BUILDING MATERIALS',
  'HARAKA COURIERS',
  'USAFI LAUNDRY SERVICES',
]
