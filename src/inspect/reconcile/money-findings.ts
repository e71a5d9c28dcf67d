import { plainTime, type Zone } from '../../core/model/calendar.ts'
import type { Callback } from '../../core/model/callback.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { moneyText } from '../../core/model/money.ts'
import type { PaymentFacts, RefusedRequest } from './payment-facts.ts'
import type { BookedPayment } from './read-books.ts'

/** `error`: fails the run. `warning`: advice. */
export const levels = ['error', 'warning'] as const
export type Level = (typeof levels)[number]

export interface FindingRecord<Facts> {
  level: Level
  meaning: string
  cause: string
  todo: string
  sentence(facts: Facts, zone: Zone): string
  riskMinor?(facts: Facts): number
}

export interface DifferenceFacts {
  line?: BookedPayment | undefined
  payment?: PaymentFacts | undefined
  other?: PaymentFacts | undefined
  refused?: RefusedRequest | undefined
  /** Something speaks for the app, so it is reported as advice. */
  doubtful?: true
}

export const DOUBTFUL = { doubtful: true } as const

export interface CallbackHabit {
  times: number
  first: Pick<Callback, 'uid' | 'createdAtUs' | 'paymentSeq'>
  what: string
}

export interface MisplacedSecret {
  where: string
  times: number
  first: Pick<JournalEntry, 'method' | 'path' | 'requestId'>
}

function describePayment(payment: PaymentFacts | undefined): string {
  if (!payment) return 'a payment'
  const { kind, direction, party, reference, order } = payment
  const whom = party === null ? '' : ` ${direction === 'in' ? 'from' : 'to'} ${party}`
  const name = reference ?? order
  return `the ${kind} of ${sum(payment)}${whom}${name === null ? '' : ` (${name})`}`
}

function theOther(payment: PaymentFacts | undefined, zone: Zone): string {
  return `payment ${payment?.uuid} (${created(payment, zone)})`
}

function sum(payment: PaymentFacts | undefined): string {
  return moneyText(payment?.amountMinor ?? 0, payment?.currency ?? '')
}

function isOver(one: PaymentFacts | undefined, other: PaymentFacts | undefined): boolean {
  return typeof one?.endedAtUs === 'number' && one.endedAtUs <= (other?.createdAtUs ?? 0)
}

function bothPaidText(payment: PaymentFacts | undefined, other: PaymentFacts | undefined): string {
  if (payment?.outcome !== 'paid' || other?.outcome !== 'paid') return ''
  return ` Both were paid, ${sum(payment)} each.`
}

function created(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.createdAtUs ?? 0, zone)
}

function since(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.sinceUs ?? 0, zone)
}

function lineOf(line: BookedPayment | undefined): string {
  const known = [line?.reference ?? line?.requestId, line?.status].filter((one) => one !== undefined)
  return `Line ${line?.number} of the books${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

export function often(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}

const LOOK_UP_FIRST =
  'Find the first payment in the list, by receiver and amount, before you pay again. A repeated referenceId pays again too.'

export const differences = {
  paid_twice: {
    level: 'error',
    meaning: 'Two payments for the same purpose succeeded.',
    cause: 'A retry with a new referenceId after a lost or late answer.',
    todo: LOOK_UP_FIRST,
    sentence: ({ payment, other }, zone) =>
      `${describePayment(payment)} was paid. So was ${theOther(other, zone)} for the same purpose: ${sum(payment)} too much was paid.`,
  },
  paid_unknown: {
    level: 'error',
    meaning: 'A payment succeeded, but it is not in the books.',
    cause: 'The app stores a payment only after a successful answer.',
    todo: 'Store a payment before you send its request. Update it from callbacks and lists.',
    sentence: ({ payment }, zone) =>
      `${describePayment(payment)} is ${payment?.status} since ${since(payment, zone)}. It is not in the books.`,
  },
  pending_unknown: {
    level: 'error',
    meaning: 'A payment is pending, but it is not in the books.',
    cause: 'The app stores a payment only when it ends.',
    todo: 'Store a payment before you send its request. Its money is already reserved.',
    sentence: ({ payment }, zone) =>
      `${describePayment(payment)} is pending since ${created(payment, zone)}. It is not in the books, but ${sum(payment)} is reserved.`,
  },
  never_asked: {
    level: 'error',
    meaning: 'The books have a payment that the app never requested.',
    cause: 'The app books a payment before it sends the request, or under another reference.',
    todo: 'Book a payment when you send its request, with the same reference.',
    sentence: ({ line, other }) =>
      `${lineOf(line)} was never requested. ${
        other
          ? `Its reference is that of ${describePayment(other)}, which another line has.`
          : `No request and no payment has its reference or id.`
      }`,
  },
  never_made: {
    level: 'error',
    meaning: 'The books have a payment whose request was refused.',
    cause: 'The app ignores the status of the answer.',
    todo: 'Book a refused request as failed.',
    sentence: ({ line, refused }, zone) =>
      `${lineOf(line)} does not exist. Its request (${refused?.requestId}) was ${refused?.status ? `answered ${refused.status}` : 'not answered'} at ${plainTime(refused?.atUs ?? 0, zone)} and created no payment.`,
  },
  booked_twice: {
    level: 'error',
    meaning: 'Two lines of the books are the same payment.',
    cause: 'Two callbacks about one payment each add a line.',
    todo: 'Make requestId unique in your table.',
    sentence: ({ line, payment }) =>
      `${lineOf(line)} is ${describePayment(payment)}, which another line has already. It is counted twice.`,
  },
  stale: {
    level: 'error',
    meaning: 'A payment has ended, but the books have an older status.',
    cause: 'The app missed a callback and does not poll.',
    todo: 'Handle its callback, or poll open payments until they end.',
    sentence: ({ line, payment }, zone) =>
      `${describePayment(payment)} is ${payment?.status} since ${since(payment, zone)}. The books say ${line?.status}.`,
  },
  given_up: {
    level: 'error',
    meaning: 'The books say that a payment failed, but it is still pending.',
    cause: 'The app treats a timeout or a 5xx answer as a failure.',
    todo: 'Wait for the final status. A timeout or a 5xx answer is not a failure.',
    sentence: ({ line, payment }) =>
      `${describePayment(payment)} is still ${payment?.status} and may yet succeed. The books say ${line?.status}.`,
  },
  believed_paid: {
    level: 'error',
    meaning: 'The books say that a payment was paid, but no money moved.',
    cause: 'The app treats an accepted request (201) as paid.',
    todo: 'Book SUCCESS only after a lookup, or a callback with a verified signature, says so.',
    sentence: ({ line, payment }, zone) =>
      `${describePayment(payment)} is ${payment?.status}${payment?.outcome === 'open' ? '' : ` since ${since(payment, zone)}`} and no money moved. The books say ${line?.status}.`,
  },
  taken_back: {
    level: 'error',
    meaning: 'A payment was reversed, but the books say that it was paid.',
    cause: 'The app ignores callbacks about payments that have ended.',
    todo: 'Handle later callbacks about ended payments. Look up old payments again.',
    sentence: ({ line, payment }, zone) =>
      `${describePayment(payment)} was paid and then reversed at ${since(payment, zone)}. It is ${payment?.status}. The books say ${line?.status}.`,
  },
  wrong_amount: {
    level: 'error',
    meaning: 'The books have another amount.',
    cause: 'Amounts in cents are read as shillings, or the reverse.',
    todo: 'Book the amount that the service confirms.',
    sentence: ({ line, payment }) =>
      `${describePayment(payment)} has another amount in the books: ${moneyText(line?.amountMinor ?? 0, payment?.currency ?? '')}.`,
    riskMinor: ({ line, payment }) => Math.abs((payment?.amountMinor ?? 0) - (line?.amountMinor ?? 0)),
  },
  wrong_kind: {
    level: 'error',
    meaning: 'The books have another kind of payment.',
    cause: 'One handler books payments of several kinds.',
    todo: 'Book the kind of the operation that you called.',
    sentence: ({ line, payment }) => `${describePayment(payment)} has another kind in the books: ${line?.kind}.`,
    riskMinor: () => 0,
  },
  wrong_currency: {
    level: 'error',
    meaning: 'The books have another currency.',
    cause: 'The app assumes one currency for all payments.',
    todo: 'Book the currency of the request. KSH and KES are the same.',
    sentence: ({ line, payment }) =>
      `${describePayment(payment)} is in ${payment?.currency}. The books say ${line?.currency}.`,
  },
  wrong_fee: {
    level: 'error',
    meaning: 'The books have another fee. It is advice if the books have no fees.',
    cause: 'The app computes fees itself.',
    todo: 'Book the fee of the record or of your wallet statement. Leave the column out if you have neither.',
    sentence: ({ line, payment }) => {
      const currency = payment?.currency ?? ''
      const booked = line?.feeMinor === undefined ? 'have no fee' : `say ${moneyText(line.feeMinor, currency)}`
      return `${describePayment(payment)} had a fee of ${moneyText(payment?.feeMinor ?? 0, currency)}. The books ${booked}.`
    },
    riskMinor: ({ line, payment }) => Math.abs((payment?.feeMinor ?? 0) - (line?.feeMinor ?? 0)),
  },
  asked_again_under_way: {
    level: 'error',
    meaning: 'The app sent the same payment again while the first was open.',
    cause: 'A retry job does not check open payments.',
    todo: 'Wait for the first payment to end, or look it up, before you retry.',
    sentence: ({ payment, other }, zone) =>
      `${describePayment(payment)} was requested at ${created(payment, zone)}, ${
        isOver(other, payment)
          ? `before your app had seen the result of ${theOther(other, zone)} for the same purpose`
          : `while ${theOther(other, zone)} for the same purpose was still pending`
      }.${bothPaidText(payment, other)}`,
  },
  asked_again_after_unknown_answer: {
    level: 'error',
    meaning: 'After a lost answer, the app sent the payment again with a new reference.',
    cause: 'Each attempt of a retry makes a new referenceId.',
    todo: LOOK_UP_FIRST,
    sentence: ({ doubtful, payment, other }, zone) =>
      `${describePayment(payment)} was requested at ${created(payment, zone)} with a new reference, because the answer to ${theOther(other, zone)} was lost. That payment is ${other?.status}.${bothPaidText(payment, other)}${doubtful ? ' If you meant both, nothing is wrong.' : ''}`,
  },
  charged_too_much: {
    level: 'error',
    meaning: 'A customer paid twice, and the books have no refund.',
    cause: 'The app sends a second prompt before the first has ended.',
    todo: 'Send one prompt per order. Book a refund as `refundDue` after a double payment.',
    sentence: ({ payment, other }, zone) =>
      `The payer of ${describePayment(payment)} paid twice: also by ${theOther(other, zone)}, for the same purpose. ${sum(payment)} is too much, and the books have no refund.`,
  },
  executed_twice: {
    level: 'error',
    meaning: 'The service executed one request twice, and the books have one payment.',
    cause: 'The app never compares its books with the lists of the service. It is advice for the first day.',
    todo: 'Read the lists of the service once a day. Book payments that you lack.',
    sentence: ({ payment, other }, zone) =>
      `The scenario executed one request twice, and ${describePayment(payment)} is not in the books. There, only ${theOther(other, zone)} is. The lists of the service show both.`,
  },
  unasked_unknown: {
    level: 'warning',
    meaning: 'A payment that you did not request is not in the books.',
    cause: 'A customer pays in, or money moves between your own wallets.',
    todo: 'Book such payments if you track wallet balances.',
    sentence: ({ payment }) =>
      `${describePayment(payment)} is ${payment?.status}. It is not in the books, and your app did not request it.`,
  },
  unmatched_line: {
    level: 'warning',
    meaning: 'A line of the books cannot be compared.',
    cause: 'The export of the books leaves out references.',
    todo: 'Give each line the reference that you sent, or the requestId.',
    sentence: ({ line }) => `${lineOf(line)} has no requestId and no reference, so it cannot be compared.`,
  },
} satisfies Readonly<Record<string, FindingRecord<DifferenceFacts>>>
