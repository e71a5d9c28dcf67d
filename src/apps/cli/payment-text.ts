/** Prints one payment with all details. */
import type { Attempt, CallbackDetail, PaymentDetail } from '../../client/control-answers.ts'
import { withShortDurations } from '../../core/model/short-duration.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { amountText, factLines, httpStatus, section, state, time } from './words.ts'

export function paymentInFull(payment: PaymentDetail, output: Output): string {
  const { plan } = payment
  const about = factLines(
    [
      ['uuid', payment.uuid],
      ['kind', payment.kind],
      ['status', payment.status],
      ['amount', amountText(payment.amount, payment.currency)],
      ['reference', payment.referenceId],
      ['rule', payment.rule],
      ['plan', withShortDurations(`after ${plan.after} ${plan.end}`)],
      ['request', JSON.stringify(payment.request)],
    ],
    output.paint,
  )
  return [
    about,
    section('Timeline', timelineTable(payment, output), output.paint),
    section('Money', transferTable(payment, output), output.paint),
    section('Callbacks', callbackTable(payment, output), output.paint),
  ].join('')
}

function timelineTable({ timeline: { happened, due } }: PaymentDetail, output: Output): string {
  const moments = [...happened, ...due.map(({ at, event }) => ({ at, event, status: 'due', by: 'the clock' }))]
  return table(
    moments,
    [
      { title: 'AT', of: ({ at }) => time(at) },
      { title: 'EVENT', of: ({ event }) => event },
      { title: 'STATUS', of: ({ status }) => status, paint: (text, _, paint) => state(text, paint) },
      { title: 'BY', of: ({ by }) => by, least: 12 },
    ],
    output,
  )
}

function transferTable({ transfers, currency }: PaymentDetail, output: Output): string {
  if (transfers.length === 0) return ''
  return table(
    transfers,
    [
      { title: 'MOVEMENT', of: ({ kind }) => kind },
      { title: 'FROM', of: ({ debit }) => debit ?? null, least: 16 },
      { title: 'TO', of: ({ credit }) => credit ?? null, least: 16 },
      { title: 'AMOUNT', of: ({ amount }) => amountText(amount, currency), right: true },
      { title: 'STATE', of: (transfer) => transfer.state },
      { title: 'SETTLED', of: ({ settledAt }) => time(settledAt), spare: 1 },
    ],
    output,
  )
}

function callbackTable({ callbacks }: PaymentDetail, output: Output): string {
  const attempts = callbacks.flatMap((callback) =>
    callback.tries.length > 0 ? callback.tries.map((attempt) => ({ callback, attempt })) : [{ callback }],
  )
  if (attempts.length === 0) return ''
  return table<{ callback: CallbackDetail; attempt?: Attempt }>(
    attempts,
    [
      { title: 'ID', of: ({ callback }) => callback.id, right: true },
      { title: 'STATE', of: ({ callback }) => callback.state, paint: (text, _, paint) => state(text, paint) },
      { title: 'SENT', of: ({ attempt }) => time(attempt?.sentAt ?? null) },
      {
        title: 'ANSWER',
        of: ({ attempt }) => attempt?.status ?? null,
        paint: (text, _, paint) => httpStatus(text, paint),
      },
      { title: 'ERROR', of: ({ attempt }) => attempt?.error ?? null, least: 12, spare: 2 },
      { title: 'TO', of: ({ callback }) => callback.url, least: 20, spare: 1 },
    ],
    output,
  )
}
