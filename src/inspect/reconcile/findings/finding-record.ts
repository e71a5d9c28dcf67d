/** The type of a finding's record. Add a finding in `money-findings.ts` or `habit-findings.ts`. */
import { plainTime, type Zone } from '../../../core/model/calendar.ts'
import type { Callback } from '../../../core/model/callback.ts'
import type { JournalEntry } from '../../../core/model/journal.ts'
import { moneyText } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import { parseInstant } from '../../../core/model/time.ts'
import type { PaymentFacts, RefusedRequest } from '../match.ts'
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
  example: Facts
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

export interface TokenHabit {
  tokens: number
  calls: number
  needless: number
}

export interface MisplacedSecret {
  where: string
  times: number
  first: Pick<JournalEntry, 'method' | 'path' | 'requestId'>
}

export interface Polling {
  path: string
  times: number
  withinS: number
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

export function at(time: string): number {
  return must(parseInstant(`2025-01-24T${time}`))
}

export function paymentWith(more: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    uuid: '3f0c2b1e-6a4d-4c58-9a57-0d6f6f1c9b7a',
    seq: 1,
    kind: 'payout',
    direction: 'out',
    organisationId: 1,
    reference: 'salary-1',
    party: '254712345678',
    order: null,
    amountMinor: 100_000,
    currency: 'KES',
    feeMinor: 0,
    status: 'SUCCESS',
    outcome: 'paid',
    outcomes: ['open', 'paid'],
    createdAtUs: at('16:28:00'),
    endedAtUs: at('16:28:02'),
    sinceUs: at('16:28:02'),
    origin: 'request',
    twinOf: null,
    answered: true,
    learntAtUs: at('16:28:00'),
    endLearntAtUs: at('16:28:02'),
    hidden: false,
    longKnowable: true,
    callbacks: { written: 1, untried: 0 },
    subscribed: false,
    ...more,
  }
}

export function lineWith(more: Partial<BookedPayment> = {}): BookedPayment {
  return { number: 3, reference: 'salary-1', status: 'SUCCESS', amountMinor: 100_000, ...more }
}

export const again: PaymentFacts = paymentWith({
  uuid: '8d1f4c9a-2b7e-4f06-8c3d-5e9a7b2c4d10',
  seq: 2,
  reference: 'salary-1b',
  createdAtUs: at('16:28:30'),
  endedAtUs: at('16:28:32'),
  sinceUs: at('16:28:32'),
})
