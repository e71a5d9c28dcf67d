/** What a rule can say about each kind of payment: how it may end, and which fields of the record it may set. */
import type { PaymentKind } from '../../model/payment.ts'

type FieldType = 'text' | 'integer' | 'amount' | 'any'

interface KindRules {
  /** As a sentence names one payment of this kind. */
  phrase: string
  /** The states that a rule can end it in; the first is the good one. */
  ends: readonly [string, ...string[]]
  /** It is over at once: there is no delay and no way to fail, only to be refused. */
  instant?: true
  /** Words that are taken for an end, and what is so instead. */
  notEnds?: Readonly<Record<string, string>>
  /** Fields that `with` may set. */
  fields: Readonly<Record<string, FieldType>>
}

const mobileFields = {
  receiverName: 'text',
  transactionReceipt: 'text',
  responseCode: 'integer',
  responseDescription: 'text',
  conversationId: 'text',
} as const
const asynchronous = ['SUCCESS', 'FAILED'] as const
const instant = { ends: ['SUCCESS'], instant: true, fields: {} } as const

export const kindRules: Record<PaymentKind, KindRules> = {
  'send-money': { phrase: 'a send-money payout', ends: asynchronous, fields: mobileFields },
  till: { phrase: 'a till payment', ends: asynchronous, fields: mobileFields },
  paybill: { phrase: 'a paybill payment', ends: asynchronous, fields: mobileFields },
  'bank-payout': {
    phrase: 'a bank payout',
    ends: asynchronous,
    fields: {
      statusCode: 'any',
      statusDesc: 'text',
      endToEndID: 'text',
      errorCode: 'any',
      errorDesc: 'text',
      transaction_fee: 'amount',
      service_amount: 'amount',
      transaction_amount: 'amount',
    },
  },
  'account-verification': {
    phrase: 'an account verification',
    ends: asynchronous,
    fields: { statusCode: 'text', receiverName: 'text' },
  },
  stk: {
    phrase: 'an STK collection',
    ends: asynchronous,
    fields: { responseCode: 'integer', responseDescription: 'text', customerMessage: 'text' },
  },
  'bank-collection': {
    phrase: 'a bank collection',
    ...instant,
    // What the payer wrote, as the banks on the way pass it on.
    fields: { description: 'text', accountnumber: 'text', customerid: 'text' },
  },
  checkout: { phrase: 'a checkout session', ends: ['SUCCEEDED', 'FAILED', 'EXPIRED'], fields: {} },
  allocation: {
    phrase: 'an allocation',
    ...instant,
    // Neither source shows one that is cancelled by itself, and the word in lists is an assumption.
    notEnds: { CANCELLED: 'Only a request cancels one: GET /api/sandbox/v1/allocations/single/cancel.' },
  },
  'de-allocation': { phrase: 'a de-allocation', ...instant },
}

/** Whether a condition speaks about a kind of payment, and not about an operation or something else. */
export function isKind(subject: string): subject is PaymentKind {
  return Object.hasOwn(kindRules, subject)
}

/** As a sentence names what a condition speaks about: a kind of payment, or an operation by its own name. */
export function phraseOf(subject: string): string {
  return isKind(subject) ? kindRules[subject].phrase : subject
}

/** Every end of any kind, for editors. */
export const allEnds = [...new Set(Object.values(kindRules).flatMap((rules) => rules.ends))]

/** Every field that a rule of any kind may set, for editors. */
export const allFields = [...new Set(Object.values(kindRules).flatMap((rules) => Object.keys(rules.fields)))]

/** What is wrong with a value for a field that `with` sets; undefined when it fits. Null is always a value. */
export function fieldMismatch(type: FieldType, value: unknown): string | undefined {
  if (value === null || type === 'any') return undefined
  if (type === 'text') return typeof value === 'string' ? undefined : 'a text (put it in quotes)'
  if (typeof value !== 'number') return type === 'integer' ? 'a whole number' : 'an amount'
  if (type === 'integer') return Number.isSafeInteger(value) ? undefined : 'a whole number'
  return value >= 0 ? undefined : 'an amount that is not negative'
}
