/** Findings about money, the worst first. */

import { spokenText } from '../../../core/model/calendar.ts'
import { moneyText } from '../../../core/model/money.ts'
import { again, at, lineWith, paymentWith } from './example-payment.ts'
import type { DifferenceFacts } from './finding-facts.ts'
import type { FindingRecord } from './finding-record.ts'
import { bothPaidText, created, isOver, lineOf, named, since, sum, theOther } from './finding-words.ts'

const LOOK_UP_FIRST = 'Look the first payment up before you ask for another, and keep one referenceId for one purpose.'

export const differences = {
  paid_twice: {
    level: 'error',
    meaning: 'Two payments for the same thing succeeded.',
    todo: LOOK_UP_FIRST,
    sentence: ({ payment, other }, zone) =>
      `${named(payment)} was paid, and ${theOther(other, zone)} was paid for the same thing: ${sum(payment)} went out once too often.`,
    example: { payment: again, other: paymentWith() },
  },
  paid_unknown: {
    level: 'error',
    meaning: 'A payment succeeded and the books do not have it.',
    todo: 'Store a payment before you send its request, and book what callbacks and lists show.',
    sentence: ({ payment }, zone) =>
      `${named(payment)} is ${payment?.status} since ${since(payment, zone)}, and is not in the books.`,
    example: { payment: paymentWith() },
  },
  pending_unknown: {
    level: 'error',
    meaning: 'A payment is under way and the books do not have it.',
    todo: 'Store a payment before you send its request: its money is reserved already.',
    sentence: ({ payment }, zone) =>
      `${named(payment)} is under way since ${created(payment, zone)}, and is not in the books: ${sum(payment)} are spoken for.`,
    example: { payment: paymentWith({ status: 'PENDING', outcome: 'open' }) },
  },
  never_asked: {
    level: 'error',
    meaning: 'The books have a payment that no request asked for.',
    todo: 'Book a payment when its request is sent, under the reference that the request carries.',
    sentence: ({ line }) =>
      `${lineOf(line)} was never asked for: no request and no payment carries its reference or id.`,
    example: { line: lineWith() },
  },
  never_made: {
    level: 'error',
    meaning: 'The books have a payment whose request was refused.',
    todo: 'Book a refused request as failed.',
    sentence: ({ line, refused }, zone) =>
      `${lineOf(line)} does not exist: its request was answered ${refused?.status || 'by nothing'} at ${spokenText(refused?.atUs ?? 0, zone)} (${refused?.requestId}), and made no payment.`,
    example: {
      line: lineWith(),
      refused: { reference: 'salary-1', requestId: 'req_000012', atUs: at('16:28:00'), status: 400 },
    },
  },
  booked_twice: {
    level: 'error',
    meaning: 'Two lines of the books are about one payment.',
    todo: 'Make the service’s requestId unique in your table.',
    sentence: ({ line, payment }) =>
      `${lineOf(line)} is ${named(payment)}, which another line has already: it is counted twice.`,
    example: { line: lineWith(), payment: paymentWith() },
  },
  stale: {
    level: 'error',
    meaning: 'The payment has ended and the books say otherwise.',
    todo: 'Take its callback, or poll what is still open, until the payment has ended.',
    sentence: ({ line, payment }, zone) =>
      `${named(payment)} is ${payment?.status} since ${since(payment, zone)}; the books say ${line?.status}.`,
    example: { line: lineWith({ status: 'PENDING' }), payment: paymentWith() },
  },
  given_up: {
    level: 'error',
    meaning: 'The books call a payment failed that is still under way.',
    todo: 'Wait for the final state: a time-out or a 5xx is not a failure.',
    sentence: ({ line, payment }) =>
      `${named(payment)} is still ${payment?.status}; the books say ${line?.status}, and it may yet succeed.`,
    example: { line: lineWith({ status: 'FAILED' }), payment: paymentWith({ status: 'PENDING', outcome: 'open' }) },
  },
  believed_paid: {
    level: 'error',
    meaning: 'The books call a payment paid and no money moved.',
    todo: 'Book SUCCESS only when a callback or a look-up says so.',
    sentence: ({ line, payment }, zone) =>
      `${named(payment)} is ${payment?.status}${payment?.outcome === 'open' ? '' : ` since ${since(payment, zone)}`}, and no money moved; the books say ${line?.status}.`,
    example: { line: lineWith(), payment: paymentWith({ status: 'FAILED', outcome: 'unpaid' }) },
  },
  taken_back: {
    level: 'error',
    meaning: 'A payment was paid and then reversed; the books still call it paid.',
    todo: 'Take a later callback about an ended payment too, and look old payments up once more.',
    sentence: ({ line, payment }, zone) =>
      `${named(payment)} was paid and taken back at ${since(payment, zone)}: it is ${payment?.status}; the books say ${line?.status}.`,
    example: {
      line: lineWith(),
      payment: paymentWith({ status: 'FAILED', outcome: 'unpaid', sinceUs: at('18:00:00') }),
    },
  },
  wrong_amount: {
    level: 'error',
    meaning: 'The books have another amount.',
    todo: 'Book the amount that the service confirms.',
    sentence: ({ line, payment }) =>
      `${named(payment)} is about ${sum(payment)}; the books say ${moneyText(line?.amountMinor ?? 0, payment?.currency ?? '')}.`,
    riskMinor: ({ line, payment }) => Math.abs((payment?.amountMinor ?? 0) - (line?.amountMinor ?? 0)),
    example: { line: lineWith({ amountMinor: 10_000 }), payment: paymentWith() },
  },
  wrong_currency: {
    level: 'error',
    meaning: 'The books have another currency.',
    todo: 'Book the currency of the request. KSH and KES are one currency.',
    sentence: ({ line, payment }) => `${named(payment)} is in ${payment?.currency}; the books say ${line?.currency}.`,
    example: { line: lineWith({ currency: 'TZS' }), payment: paymentWith() },
  },
  wrong_fee: {
    level: 'error',
    meaning: 'The books have another fee. Advice only, where the books keep no fees.',
    todo: 'Book the fee that the record shows.',
    sentence: ({ line, payment }) =>
      `${named(payment)} cost a fee of ${moneyText(payment?.feeMinor ?? 0, payment?.currency ?? '')}; the books say ${line?.feeMinor === undefined ? 'nothing of it' : moneyText(line.feeMinor, payment?.currency ?? '')}.`,
    riskMinor: ({ line, payment }) => Math.abs((payment?.feeMinor ?? 0) - (line?.feeMinor ?? 0)),
    example: { line: lineWith({ feeMinor: 1000 }), payment: paymentWith({ feeMinor: 2500 }) },
  },
  asked_again_under_way: {
    level: 'error',
    meaning: 'The same was asked for again before the app knew how the first had ended.',
    todo: 'Wait for the end of the first payment, or look it up, before you ask again.',
    sentence: ({ payment, other }, zone) =>
      `${named(payment)} was asked for at ${created(payment, zone)}, ${
        isOver(other, payment)
          ? `before its merchant had seen how ${theOther(other, zone)} for the same thing had ended`
          : `while ${theOther(other, zone)} for the same thing was still under way`
      }${bothPaidText(payment, other)}.`,
    example: { payment: again, other: paymentWith({ endedAtUs: null, status: 'PENDING', outcome: 'open' }) },
  },
  asked_again_after_unknown_answer: {
    level: 'error',
    meaning: 'An answer was lost and the same was asked for under another reference.',
    todo: LOOK_UP_FIRST,
    sentence: ({ doubtful, payment, other }, zone) =>
      `${named(payment)} was asked for at ${created(payment, zone)} with a reference of its own, because the answer to ${theOther(other, zone)} was lost; that one is ${other?.status}${bothPaidText(payment, other)}.${doubtful ? ' If both were meant, all is well.' : ''}`,
    example: { payment: again, other: paymentWith({ answered: false }) },
  },
  charged_too_much: {
    level: 'error',
    meaning: 'A customer paid twice for the same thing and no refund is due in the books.',
    todo: 'Send one prompt for one order; book a refund as `refundDue` where two were paid.',
    sentence: ({ payment, other }, zone) =>
      `The payer of ${named(payment)} paid ${theOther(other, zone)} for the same thing: ${sum(payment)} too much, and no refund is due in the books.`,
    example: {
      payment: { ...again, kind: 'collection', direction: 'in', reference: null, order: 'ORDER-7' },
      other: paymentWith(),
    },
  },
  executed_twice: {
    level: 'error',
    meaning:
      'The service executed one request twice and the books have one of the two. Advice only, until the second could be known for a day: by a list, or by a callback.',
    todo: 'Read the lists of the service once a day, and book what your books lack under the reference that it carries.',
    sentence: ({ payment, other }, zone) =>
      `The scenario executed one request twice: ${named(payment)} is not in the books, ${theOther(other, zone)} is its twin. Nobody asked for it; a look at the lists of the service shows it.`,
    example: { payment: again, other: paymentWith() },
  },
  unasked_unknown: {
    level: 'warning',
    meaning: 'A payment that no request asked for is not in the books.',
    todo: 'Book money that comes in unasked, where you keep a wallet’s balance.',
    sentence: ({ payment }) =>
      `${named(payment)} is ${payment?.status}, and not in the books; no request of the merchant asked for it, or it moved between its own wallets.`,
    example: { payment: paymentWith({ kind: 'collection', direction: 'in', origin: 'other', reference: null }) },
  },
  unmatched_line: {
    level: 'warning',
    meaning: 'A line of the books cannot be compared.',
    todo: 'Give each line the reference that you sent, or the requestId.',
    sentence: ({ line }) =>
      `${lineOf(line)} has neither requestId nor reference, so it cannot be compared with anything.`,
    example: { line: lineWith({ reference: undefined }) },
  },
} satisfies Readonly<Record<string, FindingRecord<DifferenceFacts>>>
