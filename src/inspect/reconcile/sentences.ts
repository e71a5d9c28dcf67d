/** Findings in words, for whoever reads them. */
import { type Zone, zonedText } from '../../core/model/calendar.ts'
import { decimalText } from '../../core/model/money.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { Finding, FindingCode } from '../finding.ts'
import type { Difference } from './compare.ts'
import type { PaymentFacts } from './ledger-facts.ts'
import type { BooksLine } from './read-books.ts'

/** A difference as a finding that people read too. */
export function told(difference: Difference, zone: Zone): Finding {
  const { code, level, line, payment, other } = difference
  const reference = line?.reference ?? payment?.reference ?? undefined
  const requestId = payment?.uuid ?? line?.requestId
  const kind = payment?.kind ?? line?.kind
  return {
    code,
    level,
    ...(reference !== undefined && { reference }),
    ...(requestId !== undefined && { requestId }),
    ...(kind !== undefined && { kind }),
    ...(line && { line: line.number }),
    ...(other && { others: [other.uuid] }),
    text: capital(sentences[code as keyof typeof sentences](difference, (atUs = 0) => zonedText(atUs, zone))),
  }
}

/** An instant in words. */
type Told = (atUs: InstantUs | undefined) => string

type Tellable = Exclude<
  FindingCode,
  | 'callback_unacknowledged'
  | 'callback_slow'
  | 'callback_server_error'
  | 'token_for_every_call'
  | 'secret_misplaced'
  | 'polled_too_fast'
>

const sentences: Record<Tellable, (difference: Difference, at: Told) => string> = {
  paid_twice: (d, at) =>
    `${named(d.payment)} was paid, and ${theOther(d.other, at)} was paid for the same thing: ${sum(d.payment)} went out once too often.`,
  paid_unknown: ({ payment }, at) =>
    `${named(payment)} is ${payment?.status} since ${at(payment?.sinceUs)}, and is not in the books.`,
  pending_unknown: ({ payment }, at) =>
    `${named(payment)} is under way since ${at(payment?.createdAtUs)}, and is not in the books: ${sum(payment)} are spoken for.`,
  never_asked: ({ line }) =>
    `${lineOf(line)} was never asked for: no request and no payment carries its reference or id.`,
  never_made: ({ line, refused }, at) =>
    `${lineOf(line)} does not exist: its request was answered ${refused?.status || 'by nothing'} at ${at(refused?.atUs)} (${refused?.requestId}), and made no payment.`,
  booked_twice: ({ line, payment }) =>
    `${lineOf(line)} is ${named(payment)}, which another line has already: it is counted twice.`,
  stale: ({ line, payment }, at) =>
    `${named(payment)} is ${payment?.status} since ${at(payment?.sinceUs)}; the books say ${line?.status}.`,
  given_up: ({ line, payment }) =>
    `${named(payment)} is still ${payment?.status}; the books say ${line?.status}, and it may yet succeed.`,
  believed_paid: ({ line, payment }, at) =>
    `${named(payment)} is ${payment?.status}${payment?.outcome === 'open' ? '' : ` since ${at(payment?.sinceUs)}`}, and no money moved; the books say ${line?.status}.`,
  taken_back: ({ line, payment }, at) =>
    `${named(payment)} was paid and taken back at ${at(payment?.sinceUs)}: it is ${payment?.status}; the books say ${line?.status}.`,
  wrong_amount: ({ line, payment }) =>
    `${named(payment)} is about ${sum(payment)}; the books say ${decimalText(line?.amountMinor ?? 0)}.`,
  wrong_currency: ({ line, payment }) =>
    `${named(payment)} is in ${payment?.currency}; the books say ${line?.currency}.`,
  wrong_fee: ({ line, payment }) =>
    `${named(payment)} cost a fee of ${decimalText(payment?.feeMinor ?? 0)}; the books say ${line?.feeMinor === undefined ? 'nothing of it' : decimalText(line.feeMinor)}.`,
  asked_again_under_way: ({ payment, other }, at) =>
    `${named(payment)} was asked for at ${at(payment?.createdAtUs)}, ${
      isOver(other, payment)
        ? `before its merchant had seen how ${theOther(other, at)} for the same thing had ended`
        : `while ${theOther(other, at)} for the same thing was still under way`
    }${both(payment, other)}.`,
  asked_again_after_unknown_answer: ({ level, payment, other }, at) =>
    `${named(payment)} was asked for at ${at(payment?.createdAtUs)} with a reference of its own, because the answer to ${theOther(other, at)} was lost; that one is ${other?.status}${both(payment, other)}.${level === 'warning' ? ' If both were meant, all is well.' : ''}`,
  charged_too_much: ({ payment, other }, at) =>
    `The payer of ${named(payment)} paid ${theOther(other, at)} for the same thing: ${sum(payment)} too much, and no refund is due in the books.`,
  executed_twice: ({ payment, other }, at) =>
    `The scenario executed one request twice: ${named(payment)} is not in the books, ${theOther(other, at)} is its twin. Nobody asked for it; a look at the lists of the service shows it.`,
  unasked_unknown: ({ payment }) =>
    `${named(payment)} is ${payment?.status}, and not in the books; no request of the merchant asked for it, or it moved between its own wallets.`,
  unmatched_line: ({ line }) =>
    `${lineOf(line)} has neither requestId nor reference, so it cannot be compared with anything.`,
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `the send-money of 1000.0 KES to 254… (salary-1)`. */
function named(payment: PaymentFacts | undefined): string {
  if (!payment) return 'a payment'
  const { kind, direction, party, reference, order } = payment
  const whom = party === null ? '' : ` ${direction === 'in' ? 'from' : 'to'} ${party}`
  const name = reference ?? order
  return `the ${kind} of ${sum(payment)}${whom}${name === null ? '' : ` (${name})`}`
}

function theOther(payment: PaymentFacts | undefined, at: Told): string {
  return `${payment?.uuid} of ${at(payment?.createdAtUs)}`
}

function sum(payment: PaymentFacts | undefined): string {
  return `${decimalText(payment?.amountMinor ?? 0)} ${payment?.currency ?? ''}`
}

/** One had ended when the other was asked for. */
function isOver(one: PaymentFacts | undefined, other: PaymentFacts | undefined): boolean {
  return typeof one?.endedAtUs === 'number' && one.endedAtUs <= (other?.createdAtUs ?? 0)
}

/** What two cost that were both paid. */
function both(payment: PaymentFacts | undefined, other: PaymentFacts | undefined): string {
  if (payment?.outcome !== 'paid' || other?.outcome !== 'paid') return ''
  return `: both were paid, ${sum(payment)} each`
}

/** `Line 3 of the books (salary-1, SUCCESS)`. */
function lineOf(line: BooksLine | undefined): string {
  const known = [line?.reference ?? line?.requestId, line?.status].filter((one) => one !== undefined)
  return `Line ${line?.number} of the books${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}
