import * as z from 'zod'
import { toMajor } from '../../../core/model/money.ts'
import { keysIn } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import { paymentsService } from '../../../service/service.ts'
import { type Bill, billOf, READS_TRANSFERS } from '../../app/bank-bills.ts'
import { choiceRecord, nthSchema } from './choice-record.ts'

// Bank transfers of customers other than of the open amount. To add a payer, add a record.

interface BankPayerRecord {
  words: string
  transfers(bill: Bill): Bill[]
}

const payers = {
  less: { words: 'less than the open amount', transfers: (bill) => [{ ...bill, amount: Math.ceil(bill.amount / 2) }] },
  more: {
    words: 'more than the open amount',
    transfers: (bill) => [{ ...bill, amount: Math.ceil(bill.amount * 1.5) }],
  },
  twice: { words: 'the open amount twice', transfers: (bill) => [bill, bill] },
  'other-text': {
    words: 'the open amount with another description',
    transfers: (bill) => [{ ...bill, description: 'PAYMENT' }],
  },
} satisfies Record<string, BankPayerRecord>

const ACTS_TWICE = 2

export const bankPayerChoice = choiceRecord({
  fields: { nth: nthSchema, as: z.enum(keysIn(payers)) },
  risk: () => 'surprises',
  story: ({ nth, as }) => `the customer of bill ${nth} transfers ${payers[as].words} by bank`,
  offersForDay: ({ requests, merchant }) => {
    if (requests.every(({ operation }) => operation !== READS_TRANSFERS)) return []
    const bills = ACTS_TWICE * merchant.acts.filter(({ request }) => billOf(request) !== undefined).length
    const nths = Array.from({ length: bills }, (_, i) => i + 1)
    return nths.flatMap((nth) => keysIn(payers).map((as) => ({ nth, as })))
  },
  transfers: (one, nth, bill) => (one.nth === nth ? payers[one.as].transfers(bill) : undefined),
})

// Payments of customers that nobody asked for. To add a customer, add a record.

export interface CustomerRecord {
  words: string
  pays(last: PaidIn): PaidIn
}

interface PaidIn {
  phoneNumber: string
  amount: number
  accountReference: string
}

const STRANGER = { phoneNumber: '254712000987', accountReference: 'HARAMBEE' }

const customers = {
  again: { words: 'pays the same once more, unasked', pays: (last) => last },
  less: { words: 'pays half of it, unasked', pays: (last) => ({ ...last, amount: Math.ceil(last.amount / 2) }) },
  elsewhere: {
    words: 'pays the same under another reference, unasked',
    pays: (last) => ({ ...last, accountReference: `${last.accountReference}-B` }),
  },
  unknown: { words: 'pays whom nobody asked', pays: ({ amount }) => ({ ...STRANGER, amount }) },
} satisfies Record<string, CustomerRecord>

const ways = new Map(
  paymentsService.collections.flatMap(({ kind, way }) => (way === 'bank' ? [] : [[kind, way] as const])).toReversed(),
)

function paidBy({ request, amountMinor }: Payment): PaidIn {
  const { phoneNumber, accountReference } = request
  return {
    phoneNumber: typeof phoneNumber === 'string' ? phoneNumber : STRANGER.phoneNumber,
    accountReference: typeof accountReference === 'string' ? accountReference : STRANGER.accountReference,
    amount: toMajor(amountMinor),
  }
}

export const customerChoice = choiceRecord({
  fields: { step: nthSchema, as: z.enum(keysIn(customers)) },
  risk: () => 'surprises',
  story: ({ step, as }) => `before step ${step} the customer of the last payment ${customers[as].words}`,
  offersForDay: ({ requests, steps }) =>
    requests.some(({ opens }) => opens !== undefined && ways.has(opens))
      ? steps
          .filter(({ step, number }) => number > 1 && step !== 'follow')
          .flatMap(({ number }) => keysIn(customers).map((as) => ({ step: number, as })))
      : [],
  before: async ({ as }, hands) => {
    const last = hands.newestIn()
    const way = last && ways.get(last.kind)
    if (last && way !== undefined) await hands.collect(way, { ...customers[as].pays(paidBy(last)) })
  },
})
