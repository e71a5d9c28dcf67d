/** The four ways in which the service pays somebody: where to ask, what to send, where to look afterwards. */
import type { Payee } from './book.ts'

/** Where the service keeps the payments of one way. `{company}` stands for our own id. */
interface Places {
  create: string
  single: string
  list: string
}

const base = '/api/sandbox/v1'
export const places: Record<Payee['way'], Places> = {
  phone: {
    create: `${base}/send-money`,
    single: `${base}/send-money/single?companyId={company}&requestId=`,
    list: `${base}/send-money/all?companyId={company}`,
  },
  bank: {
    create: `${base}/bank/payout/new`,
    single: `${base}/bank/payout/single?requestId=`,
    list: `${base}/bank/payout/all`,
  },
  till: {
    create: `${base}/till`,
    single: `${base}/till/single?companyId={company}&requestId=`,
    list: `${base}/till/all`,
  },
  paybill: {
    create: `${base}/paybill`,
    single: `${base}/paybill/single?requestId=`,
    list: `${base}/paybill/all`,
  },
}

/** What is asked of the service. */
export interface Instruction {
  payee: Payee
  amount: number
  /** Ours. No record shows it again. */
  reference: string
  /** A text that the record shows: remarks, or the narration of a bank payout. */
  text: string
  purpose: string
  callbackUrl: string
}

export function bodyOf({ payee, amount, reference, text, purpose, callbackUrl }: Instruction): object {
  const common = { amount, referenceId: reference, callbackUrl }
  const mobile = { ...common, remarks: text, occasion: purpose }
  switch (payee.way) {
    case 'phone':
      return payee.phone.startsWith('255')
        ? { ...common, ...tanzanian(payee), narration: text }
        : { ...mobile, phoneNumber: payee.phone, currencyCode: 'KSH' }
    case 'bank': {
      const { bankCode, account, name } = payee
      return { ...common, bankCode, creditAccountNumber: account, beneficiaryName: name, narration: text }
    }
    case 'till':
      return { ...mobile, businessNumber: payee.number }
    case 'paybill':
      return { ...mobile, businessNumber: payee.number, accountNumber: payee.account }
  }
}

function tanzanian({ name, phone }: { name: string; phone: string }): object {
  const [firstName = '', ...rest] = name.split(' ')
  return { phoneNumber: phone, currencyCode: 'TZS', firstName, lastName: rest.join(' '), serviceCode: 'TZ-TIGO-B2C' }
}

/** What the service's records of all four ways have in common, and what some of them add. */
export interface Recorded {
  uuid: string
  amount: number
  status: string
  remarks?: string
  narration?: string
  receiverName?: string | null
  errorDesc?: string | null
  transaction_fee?: number
}

/** The text that came with the instruction. */
export function textOf({ remarks, narration }: Recorded): string | undefined {
  return remarks ?? narration
}
