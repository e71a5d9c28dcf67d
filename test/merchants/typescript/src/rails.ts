/** The ways that money goes in and out, and what the service calls their parts. */
import type { Payment } from './book.ts'
import type { Settings } from './settings.ts'

/** What a record of the service comes to. */
export interface Recorded {
  /** The service's name for it. */
  id: string
  status: string
  /** Cents. */
  amount: number
  /** Cents, on top of the amount. */
  fee: number
  /** Why it failed, where the service says. */
  reason: string | undefined
  /** The text that carries our reference. */
  text: string
}

/** One way. Details are what a payment needs to know beside its amount: whom, or where to. */
export interface Rail {
  /** Money comes in. */
  incoming: boolean
  /** What a payment's details have to have. */
  needs: readonly string[]
  path: string
  body(payment: Payment, callbackUrl: string): object
  /** Where one is read: by the service's id, or by our reference where the answer with the id never came. */
  read(payment: Payment, settings: Settings): { path: string; query: Record<string, string> } | undefined
  /** Where all are read; not every way has that. */
  list?: string
}

const API = '/api/sandbox/v1'

const single =
  (path: string): Rail['read'] =>
  (payment, { companyId }) => ({
    path: API + path,
    query: { requestId: payment.requestId ?? payment.reference, companyId },
  })

const payout = (payment: Payment, callbackUrl: string) => ({
  ...payment.details,
  amount: payment.amount / 100,
  referenceId: payment.reference,
  callbackUrl,
})

/** The reference stands in a text as well, which the lists show. */
const withRemarks = (payment: Payment, callbackUrl: string) => ({
  ...payout(payment, callbackUrl),
  remarks: payment.reference,
  occasion: payment.purpose,
})

export const rails = {
  phone: {
    incoming: false,
    needs: ['phoneNumber'],
    path: `${API}/send-money`,
    body: (payment, callbackUrl) => ({ ...withRemarks(payment, callbackUrl), currencyCode: 'KSH' }),
    read: single('/send-money/single'),
    list: `${API}/send-money/all`,
  },
  till: {
    incoming: false,
    needs: ['businessNumber'],
    path: `${API}/till`,
    body: withRemarks,
    read: single('/till/single'),
    list: `${API}/till/all`,
  },
  paybill: {
    incoming: false,
    needs: ['businessNumber', 'accountNumber'],
    path: `${API}/paybill`,
    body: withRemarks,
    read: single('/paybill/single'),
    list: `${API}/paybill/all`,
  },
  bank: {
    incoming: false,
    needs: ['bankCode', 'creditAccountNumber', 'beneficiaryName'],
    path: `${API}/bank/payout/new`,
    body: (payment, callbackUrl) => ({ ...payout(payment, callbackUrl), narration: payment.reference }),
    read: single('/bank/payout/single'),
    list: `${API}/bank/payout/all`,
  },
  stk: {
    incoming: true,
    needs: ['phoneNumber'],
    path: `${API}/stk/new`,
    body: (payment, callbackUrl) => ({
      ...payout(payment, callbackUrl),
      // At most 12 letters and digits, and at most 13 characters.
      accountReference: payment.purpose,
      description: payment.reference,
      currencyCode: 'KSH',
    }),
    read: single('/stk/single'),
    list: `${API}/stk/all`,
  },
  checkout: {
    incoming: true,
    needs: ['successUrl', 'cancelUrl'],
    path: `${API}/checkout-sessions`,
    body: (payment, callbackUrl) => ({
      ...payment.details,
      amount: payment.amount / 100,
      currency: 'KES',
      description: `Delivery ${payment.purpose}`,
      paymentMethods: ['CARD', 'MPESA_STK'],
      externalReference: payment.reference,
      callbackUrl,
    }),
    // Only by its id: a page whose answer never came has an address that nobody knows, so nobody pays there.
    read: ({ requestId }) => (requestId ? { path: `${API}/checkout-sessions/${requestId}`, query: {} } : undefined),
  },
} satisfies Record<string, Rail>

export type Way = keyof typeof rails

/** The rail of a way. */
export const railOf = (way: Way): Rail => rails[way]

/** A bank payout is read as a list of one, and a checkout session without an envelope. */
export function recordOf(body: { data?: unknown }): Recorded {
  const record = [body.data ?? body].flat()[0] as Record<string, string | number | null | undefined>
  return {
    id: String(record['uuid'] ?? record['id']),
    status: String(record['status']),
    amount: Math.round(Number(record['amount']) * 100),
    fee: Math.round(Number(record['transaction_fee'] ?? 0) * 100),
    reason: (record['errorDesc'] ?? record['responseDescription'] ?? undefined) as string | undefined,
    text: String(record['remarks'] ?? record['narration'] ?? record['description'] ?? ''),
  }
}
