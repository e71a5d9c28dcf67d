/** Findings about habits of an app, seen in journal and outbox. They have cost nothing yet. */
import { plainTime, type Zone } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import { type CallbackHabit, type FindingRecord, type MisplacedSecret, often } from './money-findings.ts'

/** A receiver that needs more than this share of its timeout will exceed it one day. */
const SLOW_PART = 0.5

export interface SeenCallback extends Pick<Callback, 'state' | 'attempts'> {
  own: readonly Attempt[]
  timeoutMs: number
}

export interface CallbackHabitRecord extends FindingRecord<CallbackHabit> {
  notice(callback: SeenCallback): string | undefined
}

export const callbackHabits = {
  callback_unacknowledged: {
    level: 'warning',
    meaning: 'A callback never got a 2xx answer.',
    cause: 'The receiver was down, or its path is wrong.',
    todo: 'Answer 200 as soon as the callback is stored. Process it afterwards.',
    sentence: (habit, zone) => `No 2xx answer to a callback ${seen(habit, zone)}`,
    notice: ({ state, attempts, own }) => {
      const last = own.at(-1)
      if (state !== 'failed' || attempts === 0 || !last) return undefined
      return `${last.error ?? 'not received'}, tried ${often(attempts)}`
    },
  },
  callback_server_error: {
    level: 'warning',
    meaning: 'The receiver answered a callback with 5xx.',
    cause: 'The handler throws, often on an unknown field or status.',
    todo: 'Check your log at that time. Store what you cannot process and answer 200.',
    sentence: (habit, zone) => `A 5xx answer to a callback ${seen(habit, zone)}`,
    notice: ({ own }) => {
      const broken = own.find(({ status }) => status !== null && status >= 500)
      return broken && `answered ${broken.status}`
    },
  },
  callback_slow: {
    level: 'warning',
    meaning: 'The receiver used more than half of its time.',
    cause: 'The handler processes a callback before it answers.',
    todo: 'Answer before you process a callback.',
    sentence: (habit, zone) => `A slow answer to a callback ${seen(habit, zone)}`,
    notice: ({ own, timeoutMs }) => {
      const slow = own.find(({ tookMs }) => tookMs > timeoutMs * SLOW_PART)
      return slow && `answered after ${slow.tookMs} ms, and the limit is ${timeoutMs} ms`
    },
  },
} satisfies Readonly<Record<string, CallbackHabitRecord>>

export const tokenForEveryCall: FindingRecord<{ tokens: number; calls: number; needless: number }> = {
  level: 'warning',
  meaning: 'The app fetches a new token for nearly every call.',
  cause: 'Each request of the app starts with get-token.',
  todo: 'Keep the token until shortly before `expires_in` has passed.',
  sentence: ({ tokens, calls, needless }) =>
    `Your app fetched ${tokens} tokens for ${calls} calls. ${needless} of them were not needed: the last token was still valid.`,
}

export const secretMisplaced: FindingRecord<MisplacedSecret> = {
  level: 'warning',
  meaning: 'A secret is in a place that logs keep.',
  cause: 'The app sends its key in a query or a header.',
  todo: 'Send secrets only in the body of get-token.',
  sentence: ({ where, times, first: { method, path, requestId } }) =>
    `A secret is in ${where} of ${method} ${path.split('?')[0]}, ${often(times)} (${requestId}). Logs keep it.`,
}

export const polledTooFast: FindingRecord<{ path: string; times: number; withinS: number }> = {
  level: 'warning',
  meaning: 'The app reads the same resource again and again within seconds.',
  cause: 'A polling loop has no pause.',
  todo: 'Wait for the callback, or poll with growing pauses.',
  sentence: ({ path, times, withinS }) => `Your app sent GET ${path} ${times} times within ${withinS} seconds.`,
}

function seen({ times, first, what }: CallbackHabit, zone: Zone): string {
  return `${often(times)}, first ${first.uid} at ${plainTime(first.createdAtUs, zone)}: ${what}.`
}
