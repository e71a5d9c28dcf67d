/** The service's requests, as a business makes them. */
import type { JsonObject } from '../../core/model/payment.ts'
import type { Party } from './parties.ts'

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
