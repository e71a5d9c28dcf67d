import { DIGITS, type Draw } from '../../core/model/chance.ts'
import type { JsonObject } from '../../core/model/payment.ts'
import { kenya } from '../countries/countries.ts'

export type KnownParty = Pick<Party, 'name' | 'shortCode'>

export interface Party {
  name: string
  phone: string
  shortCode: string
  bankCode: string
  account: string
}

/** Existing prefixes, so that every number has a network. */
const prefixes = ['254710', '254722', '254729', '254745', '254757', '254733', '254110']
const bankCodes = ['0001', '0011', '0068', '0003', '0007']
const trades = ['Hardware Ltd', 'Wholesalers', 'Bakers', 'Motors', 'Textiles', 'Agrovet', 'Printers', 'Electricals']

export function inventParty(draw: Draw, isCompany = false): Party {
  const [first, last] = [capitalised(draw.pick(kenya.givenNames)), capitalised(draw.pick(kenya.surnames))]
  return {
    name: isCompany ? `${last} ${draw.pick(trades)}` : `${first} ${last}`,
    phone: draw.pick(prefixes) + draw.text(6, DIGITS),
    shortCode: String(100_000 + draw.below(900_000)),
    bankCode: draw.pick(bankCodes),
    account: `01${draw.text(11, DIGITS)}`,
  }
}

function capitalised(name: string): string {
  return name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

interface Purpose {
  party: Party
  amount: number
  remarks: string
  referenceId: string
}

export type WayToPay = 'phone' | 'till' | 'paybill' | 'bank' | 'prompt' | 'session'

export const requests: Readonly<Record<WayToPay, (purpose: Purpose) => { kind: string; request: JsonObject }>> = {
  phone: ({ party, ...rest }) => {
    const request = { phoneNumber: party.phone, currencyCode: 'KSH', occasion: rest.remarks, ...rest }
    return { kind: 'send-money', request }
  },
  till: ({ party, ...rest }) => {
    return { kind: 'till', request: { businessNumber: party.shortCode, occasion: 'Purchase', ...rest } }
  },
  paybill: ({ party, ...rest }) => {
    const accountNumber = rest.referenceId.replace('-', '')
    return { kind: 'paybill', request: { businessNumber: party.shortCode, accountNumber, occasion: 'Bill', ...rest } }
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
    const request = {
      amount,
      currency: 'KES',
      description,
      successUrl: 'https://merchant.example/checkout/success',
      cancelUrl: 'https://merchant.example/checkout/cancel',
      paymentMethods: ['CARD', 'MPESA_STK'],
      externalReference: referenceId,
      paymentReference: referenceId,
      customerPhone: `+${party.phone}`,
    }
    return { kind: 'checkout', request }
  },
}
