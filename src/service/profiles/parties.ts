/** Invented people and businesses of East Africa. */
import { DIGITS, type Draw } from '../../core/model/chance.ts'
import type { JsonObject } from '../../core/model/payment.ts'
import { kenya } from '../countries/kenya.ts'
import { tanzania } from '../countries/tanzania.ts'
import { uganda } from '../countries/uganda.ts'

export interface Party {
  country: 'KE' | 'TZ' | 'UG'
  name: string
  firstName: string
  lastName: string
  /** In international form. */
  phone: string
  till: string
  paybill: string
  bankCode: string
  account: string
}

/** Existing prefixes, so that every number has a network. */
const countries = {
  KE: { ...kenya, prefixes: ['254710', '254722', '254729', '254745', '254757', '254733', '254110'] },
  TZ: { ...tanzania, prefixes: ['255712', '255654', '255784', '255687'] },
  UG: { ...uganda, prefixes: ['256772', '256782', '256752', '256701'] },
}
const bankCodes = ['0001', '0011', '0068', '0003', '0007']
const brands = ['Baraka', 'Umoja', 'Savanna', 'Jambo', 'Neema', 'Simba', 'Pwani', 'Rift Valley', 'Kilele', 'Uhuru']
const trades = ['Hardware', 'Wholesalers', 'Bakers', 'Motors', 'Textiles', 'Agrovet', 'Printers', 'Electricals']
const forms = ['Ltd', 'Enterprises', 'and Sons', 'Stores', 'Company Ltd']
const looks = ['large', 'small', 'blue', 'red', 'white', 'cotton', 'striped', 'wooden']
const materials = ['kitenge', 'leather', 'beaded', 'woven', 'printed', 'plain']
const goods = ['dress', 'bag', 'sandals', 'shirt', 'basket', 'scarf', 'cap', 'mat']

export function inventPerson(draw: Draw, country: Party['country'] = 'KE'): Party {
  const { givenNames, surnames, prefixes } = countries[country]
  const [firstName, lastName] = [capitalised(draw.pick(givenNames)), capitalised(draw.pick(surnames))]
  const shortCode = () => String(100_000 + draw.below(900_000))
  return {
    country,
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    phone: draw.pick(prefixes) + draw.text(6, DIGITS),
    till: shortCode(),
    paybill: shortCode(),
    bankCode: draw.pick(bankCodes),
    account: `01${draw.text(11, DIGITS)}`,
  }
}

export function inventBusiness(draw: Draw): Party {
  const owner = inventPerson(draw)
  const brand = draw.pick([...brands, owner.lastName])
  return { ...owner, name: `${brand} ${draw.pick(trades)} ${draw.pick(forms)}` }
}

export function inventProduct(draw: Draw): string {
  return `${draw.pick(looks)} ${draw.pick(materials)} ${draw.pick(goods)}`
}

function capitalised(name: string): string {
  return name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

// The service's requests, as a business makes them.

interface Purpose {
  party: Party
  amount: number
  remarks: string
  referenceId: string
}

export type WayToPay = 'phone' | 'till' | 'paybill' | 'bank' | 'prompt' | 'session'

export const requests: Readonly<Record<WayToPay, (purpose: Purpose) => { kind: string; request: JsonObject }>> = {
  phone: ({ party, remarks, ...rest }) => {
    const { country, phone: phoneNumber, name: customerName, firstName, lastName } = party
    const ofCountry = {
      KE: { currencyCode: 'KSH', remarks, occasion: remarks },
      TZ: { currencyCode: 'TZS', narration: remarks, firstName, lastName, serviceCode: 'TZ-TIGO-B2C' },
      UG: { currencyCode: 'UGX', narration: remarks, customerName },
    }
    return { kind: 'send-money', request: { phoneNumber, ...rest, ...ofCountry[country] } }
  },
  till: ({ party, ...rest }) => {
    return { kind: 'till', request: { businessNumber: party.till, occasion: 'Purchase', ...rest } }
  },
  paybill: ({ party, ...rest }) => {
    const accountNumber = rest.referenceId.replace('-', '')
    return { kind: 'paybill', request: { businessNumber: party.paybill, accountNumber, occasion: 'Bill', ...rest } }
  },
  bank: ({ party, remarks: narration, ...rest }) => {
    const { bankCode, account: creditAccountNumber, name: beneficiaryName } = party
    return { kind: 'bank-payout', request: { bankCode, beneficiaryName, creditAccountNumber, narration, ...rest } }
  },
  prompt: ({ party, remarks, ...rest }) => {
    const shown = { description: remarks.slice(0, 13), accountReference: rest.referenceId.replace('-', '') }
    return { kind: 'stk', request: { phoneNumber: party.phone, currencyCode: 'KSH', ...shown, ...rest } }
  },
  session: ({ party, amount, remarks: description, referenceId }) => {
    const [successUrl = '', cancelUrl = ''] = ['success', 'cancel'].map(
      (end) => `https://merchant.example/checkout/${end}`,
    )
    const own = { externalReference: referenceId, paymentReference: referenceId, customerPhone: `+${party.phone}` }
    const paymentMethods = ['CARD', 'MPESA_STK']
    const request: JsonObject = {
      amount,
      currency: 'KES',
      description,
      successUrl,
      cancelUrl,
      paymentMethods,
      ...own,
    }
    return { kind: 'checkout', request }
  },
}
