import type { OperationAnswer, PaymentDetail } from '../../client/control.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { type Arguments, UsageError } from './command.ts'
import { type ByHand, nounGroup } from './declared-commands.ts'
import { amountOf } from './typed-values.ts'

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
}

export const paymentGroup = nounGroup('payment', { resolve, collect })
