/** Findings in words, for whoever reads them. */
import { decimalText } from '../../core/model/money.ts'
import { momentText } from '../../core/model/time.ts'
import type { Finding, FindingCode } from '../finding.ts'
import type { Difference } from './compare.ts'
import type { PaymentFacts } from './ledger-facts.ts'
import type { BooksLine } from './read-books.ts'

/** A difference as a finding that people read too. */
export function told(difference: Difference): Finding {
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
    text: capital(sentences[code as keyof typeof sentences](difference)),
  }
}

type Tellable = Exclude<
  FindingCode,
  | 'callback_unacknowledged'
  | 'callback_slow'
  | 'callback_server_error'
  | 'token_for_every_call'
  | 'secret_misplaced'
  | 'polled_too_fast'
>

const sentences: Record<Tellable, (difference: Difference) => string> = {
  paid_twice: (d) =>
    `${named(d.payment)} was paid, and ${theOther(d.other)} was paid for the same thing: ${sum(d.payment)} went out once too often.`,
  paid_unknown: ({ payment }) =>
    `${named(payment)} is ${payment?.status} since ${since(payment)}, and is not in the books.`,
  pending_unknown: ({ payment }) =>
    `${named(payment)} is under way since ${created(payment)}, and is not in the books: ${sum(payment)} are spoken for.`,
  never_asked: ({ line }) =>
    `${lineOf(line)} was never asked for: no request and no payment carries its reference or id.`,
  never_made: ({ line, refused }) =>
    `${lineOf(line)} does not exist: its request was answered ${refused?.status || 'by nothing'} at ${momentText(refused?.atUs ?? 0)} (${refused?.requestId}), and made no payment.`,
  booked_twice: ({ line, payment }) =>
    `${lineOf(line)} is ${named(payment)}, which another line has already: it is counted twice.`,
  stale: ({ line, payment }) =>
    `${named(payment)} is ${payment?.status} since ${since(payment)}; the books say ${line?.status}.`,
  given_up: ({ line, payment }) =>
    `${named(payment)} is still ${payment?.status}; the books say ${line?.status}, and it may yet succeed.`,
  believed_paid: ({ line, payment }) =>
    `${named(payment)} is ${payment?.status}${payment?.outcome === 'open' ? '' : ` since ${since(payment)}`}, and no money moved; the books say ${line?.status}.`,
  taken_back: ({ line, payment }) =>
    `${named(payment)} was paid and taken back at ${since(payment)}: it is ${payment?.status}; the books say ${line?.status}.`,
  wrong_amount: ({ line, payment }) =>
    `${named(payment)} is about ${sum(payment)}; the books say ${decimalText(line?.amountMinor ?? 0)}.`,
  wrong_currency: ({ line, payment }) =>
    `${named(payment)} is in ${payment?.currency}; the books say ${line?.currency}.`,
  wrong_fee: ({ line, payment }) =>
    `${named(payment)} cost a fee of ${decimalText(payment?.feeMinor ?? 0)}; the books say ${line?.feeMinor === undefined ? 'nothing of it' : decimalText(line.feeMinor)}.`,
  asked_again_under_way: ({ payment, other }) =>
    `${named(payment)} was asked for at ${created(payment)}, ${
      isOver(other, payment)
        ? `before its merchant had seen how ${theOther(other)} for the same thing had ended`
        : `while ${theOther(other)} for the same thing was still under way`
    }${both(payment, other)}.`,
  asked_again_after_unknown_answer: ({ level, payment, other }) =>
    `${named(payment)} was asked for at ${created(payment)} with a reference of its own, because the answer to ${theOther(other)} was lost; that one is ${other?.status}${both(payment, other)}.${level === 'warning' ? ' If both were meant, all is well.' : ''}`,
  charged_too_much: ({ payment, other }) =>
    `The payer of ${named(payment)} paid ${theOther(other)} for the same thing: ${sum(payment)} too much, and no refund is due in the books.`,
  executed_twice: ({ payment, other }) =>
    `The scenario executed one request twice: ${named(payment)} is not in the books, ${theOther(other)} is its twin. Nobody asked for it; a look at the lists of the service shows it.`,
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

function theOther(payment: PaymentFacts | undefined): string {
  return `${payment?.uuid} of ${created(payment)}`
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

function created(payment: PaymentFacts | undefined): string {
  return momentText(payment?.createdAtUs ?? 0)
}

function since(payment: PaymentFacts | undefined): string {
  return momentText(payment?.sinceUs ?? 0)
}

/** `Line 3 of the books (salary-1, SUCCESS)`. */
function lineOf(line: BooksLine | undefined): string {
  const known = [line?.reference ?? line?.requestId, line?.status].filter((one) => one !== undefined)
  return `Line ${line?.number} of the books${known.length > 0 ? ` (${known.join(', ')})` : ''}`
}
