/** The type of a finding's record. Add a finding in `money-findings.ts` or `habit-findings.ts`. */
import { plainTime, type Zone } from '../../../core/model/calendar.ts'
import type { Callback } from '../../../core/model/callback.ts'
import type { JournalEntry } from '../../../core/model/journal.ts'
import { moneyText } from '../../../core/model/money.ts'
import type { PaymentFacts, RefusedRequest } from '../payment-facts.ts'
import type { BookedPayment } from '../read-books.ts'

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

export function describePayment(payment: PaymentFacts | undefined): string {
  if (!payment) return 'a payment'
  const { kind, direction, party, reference, order } = payment
  const whom = party === null ? '' : ` ${direction === 'in' ? 'from' : 'to'} ${party}`
  const name = reference ?? order
  return `the ${kind} of ${sum(payment)}${whom}${name === null ? '' : ` (${name})`}`
}

export function theOther(payment: PaymentFacts | undefined, zone: Zone): string {
  return `payment ${payment?.uuid} (${created(payment, zone)})`
}

export function sum(payment: PaymentFacts | undefined): string {
  return moneyText(payment?.amountMinor ?? 0, payment?.currency ?? '')
}

export function isOver(one: PaymentFacts | undefined, other: PaymentFacts | undefined): boolean {
  return typeof one?.endedAtUs === 'number' && one.endedAtUs <= (other?.createdAtUs ?? 0)
}

export function bothPaidText(payment: PaymentFacts | undefined, other: PaymentFacts | undefined): string {
  if (payment?.outcome !== 'paid' || other?.outcome !== 'paid') return ''
  return ` Both were paid, ${sum(payment)} each.`
}

export function created(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.createdAtUs ?? 0, zone)
}

export function since(payment: PaymentFacts | undefined, zone: Zone): string {
  return plainTime(payment?.sinceUs ?? 0, zone)
}

export function lineOf(line: BookedPayment | undefined): string {
  const known = [line?.reference ?? line?.requestId, line?.status].filter((one) => one !== undefined)
  return `Line ${line?.number} of the books${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}

export function often(times: number): string {
  return times === 1 ? 'once' : `${times} times`
}
