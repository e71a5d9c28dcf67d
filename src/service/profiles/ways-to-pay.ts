/** Requests of the service as a business makes them. */
import type { JsonObject } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Asked, Collected } from '../parts.ts'
import type { Business, Person } from './east-africa.ts'

/** What a payment is for, and the business's own number for it. */
interface Purpose {
  amount: number
  remarks: string
  referenceId: string
}

/** To a phone in Kenya, Tanzania or Uganda, with the fields that its currency needs. */
export function toPhone(atUs: InstantUs, { phone, firstName, lastName }: Person, purpose: Purpose): Asked {
  const { amount, remarks, referenceId } = purpose
  const common = { phoneNumber: phone, amount, referenceId }
  const byCountry: Record<string, JsonObject> = {
    '254': { currencyCode: 'KSH', remarks, occasion: remarks },
    '255': { currencyCode: 'TZS', narration: remarks, firstName, lastName, serviceCode: 'TZ-TIGO-B2C' },
    '256': { currencyCode: 'UGX', narration: remarks, customerName: `${firstName} ${lastName}` },
  }
  return { atUs, kind: 'send-money', request: { ...common, ...byCountry[phone.slice(0, 3)] } }
}

export function toTill(atUs: InstantUs, { till }: Business, { remarks, ...rest }: Purpose): Asked {
  return { atUs, kind: 'till', request: { businessNumber: till, remarks, occasion: 'Purchase', ...rest } }
}

export function toPaybill(
  atUs: InstantUs,
  paybill: string,
  accountNumber: string,
  { remarks, ...rest }: Purpose,
): Asked {
  const request = { businessNumber: paybill, accountNumber, remarks, occasion: 'Bill', ...rest }
  return { atUs, kind: 'paybill', request }
}

/** To an account at a bank; `beneficiaryName` is its holder. */
export function toBank(
  atUs: InstantUs,
  to: { bankCode: string; account: string; beneficiaryName: string },
  { amount, remarks, referenceId }: Purpose,
): Asked {
  const { bankCode, account, beneficiaryName } = to
  const request = { bankCode, beneficiaryName, creditAccountNumber: account, amount, narration: remarks, referenceId }
  return { atUs, kind: 'bank-payout', request }
}

/** A prompt on a customer's phone, for whole shillings. */
export function prompt(atUs: InstantUs, { phone }: Person, { amount, remarks, referenceId }: Purpose): Asked {
  const request = {
    phoneNumber: phone,
    amount,
    description: remarks.slice(0, 13),
    accountReference: referenceId.replaceAll('-', '').slice(-12),
    currencyCode: 'KSH',
    referenceId,
  }
  return { atUs, kind: 'stk', request }
}

/** A session on the hosted page; the customer pays it with a card or by phone, or leaves. */
export function session(
  atUs: InstantUs,
  { phone }: Person,
  { amount, remarks, referenceId }: Purpose,
  paid: Asked['paid'] | undefined,
): Asked {
  const request = {
    amount,
    currency: 'KES',
    description: remarks,
    successUrl: 'https://merchant.example/checkout/success',
    cancelUrl: 'https://merchant.example/checkout/cancel',
    paymentMethods: ['CARD', 'MPESA_STK'],
    externalReference: referenceId,
    customerPhone: `+${phone}`,
    paymentReference: referenceId,
  }
  return { atUs, kind: 'checkout', request, ...(paid && { paid }) }
}

/** Money that somebody pays into the bank account of the business. */
export function intoAccount(atUs: InstantUs, amount: number, description: string): Collected {
  return { atUs, way: 'bank', given: { amount, description } }
}
