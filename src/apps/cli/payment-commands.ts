/** The commands `mfano payment …`. */
import type { Attempt, CallbackDetail, OperationAnswer, PaymentDetail } from '../../client/control.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { withShortDurations } from '../../core/model/time.ts'
import { type Arguments, UsageError } from './command.ts'
import { type ByHand, nounGroup } from './declared-commands.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { amountOf } from './typed-values.ts'
import { amountText, factLines, httpStatus, section, state, time } from './words.ts'

// Prints one payment with all details.

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

const ways = ['stk', 'tz', 'bank'] as const

const collect: ByHand<OperationAnswer<'payment.collect'>> = {
  words: 'WAY [PHONE] AMOUNT',
  fields: ['way', 'phoneNumber', 'amount'],
  names: [ways, []],
  about:
    'WAY is stk (STK push), tz (mobile money in Tanzania) or bank (bank transfer). stk and tz need PHONE. bank takes none.',
  ask: ({ given, send }) => send(collected(given)),
}

function collected(given: Arguments) {
  const [typed = '', ...rest] = given.words
  const way = ways.find((one) => one === typed)
  if (way === undefined)
    throw new UsageError(`WAY: expected stk, tz or bank, got ${JSON.stringify(typed)}.${didYouMean(typed, ways)}`)
  const bank = way === 'bank'
  if (rest.length !== (bank ? 1 : 2))
    throw new UsageError(bank ? 'Expected only AMOUNT after bank.' : `Expected PHONE and AMOUNT after ${way}.`)
  return {
    amount: amountOf('AMOUNT', rest.at(-1) ?? ''),
    phoneNumber: bank ? undefined : rest[0],
  }
}

const resolve: ByHand<PaymentDetail> = {
  names: [[], ['SUCCESS', 'SUCCEEDED', 'FAILED']],
  about: 'The money moves and the callback is sent, as if the rails had decided.',
  ask: ({ given, send }) => send({ status: given.words[1]?.toUpperCase() }),
  show: paymentInFull,
}

export const paymentGroup = nounGroup('payment', {
  show: { show: paymentInFull },
  resolve,
  collect,
})
