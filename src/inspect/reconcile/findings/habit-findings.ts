/** Findings about habits of an app, seen in journal and outbox. They have cost nothing yet. */
import { spokenText, type Zone } from '../../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../../core/model/callback.ts'
import { at } from './example-payment.ts'
import type { CallbackHabit, MisplacedSecret, Polling, TokenHabit } from './finding-facts.ts'
import type { FindingRecord } from './finding-record.ts'
import { often } from './finding-words.ts'

const first = { uid: 'msg_000031', createdAtUs: at('16:28:02'), paymentSeq: 1 }

/** A receiver that needs more than this share of its timeout will exceed it one day. */
const SLOW_PART = 0.5

/** A callback and the attempts that its receiver may be judged by. */
export interface SeenCallback extends Pick<Callback, 'state' | 'attempts'> {
  own: readonly Attempt[]
  timeoutMs: number
}

export interface CallbackHabitRecord extends FindingRecord<CallbackHabit> {
  /** What shows the habit; undefined where nothing does. */
  notice(callback: SeenCallback): string | undefined
}

export const callbackHabits = {
  callback_unacknowledged: {
    level: 'warning',
    meaning: 'A callback was never answered with 2xx.',
    todo: 'Answer 200 as soon as the callback is stored, then work on it.',
    sentence: (habit, zone) => `A callback was never acknowledged ${seen(habit, zone)}`,
    example: { times: 2, first, what: 'connection refused, tried 5 times' },
    notice: ({ state, attempts, own }) => {
      const last = own.at(-1)
      if (state !== 'failed' || attempts === 0 || !last) return undefined
      return `${last.error ?? 'not received'}, tried ${often(attempts)}`
    },
  },
  callback_server_error: {
    level: 'warning',
    meaning: 'The receiver answered a callback with 5xx.',
    todo: 'Look at your own log of that moment; store what you cannot work on yet and answer 200.',
    sentence: (habit, zone) => `A callback was answered with an error of the server ${seen(habit, zone)}`,
    example: { times: 1, first, what: 'answered 500' },
    notice: ({ own }) => {
      const broken = own.find(({ status }) => status !== null && status >= 500)
      return broken && `answered ${broken.status}`
    },
  },
  callback_slow: {
    level: 'warning',
    meaning: 'The receiver took more than half of the time that it has.',
    todo: 'Answer before you work on a callback.',
    sentence: (habit, zone) => `A callback was acknowledged slowly ${seen(habit, zone)}`,
    example: { times: 1, first, what: 'answered after 7000 ms, of 10000 ms that there are' },
    notice: ({ own, timeoutMs }) => {
      const slow = own.find(({ tookMs }) => tookMs > timeoutMs * SLOW_PART)
      return slow && `answered after ${slow.tookMs} ms, of ${timeoutMs} ms that there are`
    },
  },
} satisfies Readonly<Record<string, CallbackHabitRecord>>

export const tokenForEveryCall: FindingRecord<TokenHabit> = {
  level: 'warning',
  meaning: 'A new token is fetched for nearly every call.',
  todo: 'Keep the token until shortly before `expires_in` is over.',
  sentence: ({ tokens, calls, needless }) =>
    `${tokens} tokens were fetched for ${calls} calls, ${needless} of them while the last one was still good: a token lasts for minutes.`,
  example: { tokens: 12, calls: 12, needless: 11 },
}

export const secretMisplaced: FindingRecord<MisplacedSecret> = {
  level: 'warning',
  meaning: 'A secret stands where nothing reads it and logs keep it.',
  todo: 'Send secrets in the body of get-token only.',
  sentence: ({ where, times, first: { method, path, requestId } }) =>
    `A secret stands in ${where} of ${method} ${path.split('?')[0]} ${often(times)} (${requestId}), where logs keep it.`,
  example: {
    where: 'the query',
    times: 1,
    first: { method: 'GET', path: '/api/sandbox/v1/send-money/all', requestId: 'req_000012' },
  },
}

export const polledTooFast: FindingRecord<Polling> = {
  level: 'warning',
  meaning: 'One thing is read again and again within seconds.',
  todo: 'Wait for the callback; poll with growing pauses.',
  sentence: ({ path, times, withinS }) =>
    `GET ${path} was asked ${times} times within ${withinS} seconds: nothing changes so fast.`,
  example: { path: '/api/sandbox/v1/send-money/single?requestId=…', times: 31, withinS: 10 },
}

function seen({ times, first, what }: CallbackHabit, zone: Zone): string {
  return `${often(times)}, first ${first.uid} at ${spokenText(first.createdAtUs, zone)}: ${what}.`
}
