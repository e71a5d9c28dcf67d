import type { JsonObject, PaymentKind } from './payment.ts'

/** The field that names the other side of a payment; null where there is none. */
export const partyFields: Record<PaymentKind, string | null> = {
  'send-money': 'phoneNumber',
  till: 'businessNumber',
  paybill: 'businessNumber',
  'bank-payout': 'creditAccountNumber',
  'account-verification': 'accountNumber',
  stk: 'phoneNumber',
  'bank-collection': null,
  checkout: 'customerPhone',
  allocation: null,
  'de-allocation': null,
}

/** Who is paid or pays: the phone, business or account that a payment names, in one spelling; null when it names none. */
export function partyOf(kind: PaymentKind, request: JsonObject): string | null {
  const field = partyFields[kind]
  const written = field === null ? undefined : request[field]
  return typeof written === 'string' && written !== '' ? partyText(kind, written) : null
}

/** A party's one spelling: of a phone number, the international one. */
export function partyText(kind: PaymentKind, written: string): string {
  return kind === 'send-money' || kind === 'stk' || kind === 'checkout' ? internationalPhone(written) : written
}

/** `+254712345678`, `0712345678` and `254712345678` are one number; local ones are Kenyan. */
export function internationalPhone(written: string): string {
  const digits = written.replace(/[^0-9]/g, '')
  return /^0[17]\d{8}$/.test(digits) ? `254${digits.slice(1)}` : digits
}
