/** Bank transfers of customers other than of the open amount. To add a payer, add a record. */
import * as z from 'zod'
import { type Bill, billOf, READS_TRANSFERS } from '../../app/bank-bills.ts'
import { choiceRecord, keysOf } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'

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
type BankPayerName = keyof typeof payers

/** An ordinary day does each act twice. */
const ACTS_TWICE = 2

export const bankPayerChoice = choiceRecord({
  fields: { nth: nthSchema, as: z.enum(keysOf<BankPayerName>(payers)) },
  slot: ({ nth }) => `${nth}`,
  sort: ({ as }) => as,
  risk: () => 'surprises',
  story: ({ nth, as }) => `the customer of bill ${nth} transfers ${payers[as].words} by bank`,
  met: () => true,
  about: () => undefined,
  offers: {
    forDay: ({ requests, merchant }) => {
      if (requests.every(({ operation }) => operation !== READS_TRANSFERS)) return []
      const bills = ACTS_TWICE * merchant.acts.filter(({ request }) => billOf(request) !== undefined).length
      const nths = Array.from({ length: bills }, (_, i) => i + 1)
      return nths.flatMap((nth) => keysOf<BankPayerName>(payers).map((as) => ({ nth, as })))
    },
  },
  effects: { transfers: (one, nth, bill) => (one.nth === nth ? payers[one.as].transfers(bill) : undefined) },
})
