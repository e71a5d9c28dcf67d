import { eidAlAdha, eidAlFitr, maulid } from './kenya.ts'
import { eastAfrican, type ServedCountry, words } from './served-country.ts'

export const tanzania = {
  code: 'TZ',
  zone: eastAfrican('Africa/Dar_es_Salaam'),
  // Public law; assumed to hold for banks.
  holidays: {
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
  },
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
