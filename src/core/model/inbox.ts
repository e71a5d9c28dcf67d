import type { SignatureState } from './callback.ts'
import { didYouMean } from './problems.ts'
import { type InstantUs, parseDuration } from './time.ts'

export interface InboxMessage {
  id: number
  name: string
  atUs: InstantUs
  headers: Record<string, string>
  body: string
  answered: string | null
  signature: SignatureState | null
}

export interface StoredInboxBehaviour {
  asked: string
  settings: InboxBehaviour
  taken: number
}

export const INBOX_NAME = /^[\w.-]{1,64}$/

export interface InboxBehaviour {
  /**
   * Used in order; the last one repeats. A status such as `500`, or `hang`, `close`, `reset`, with a delay behind `@`:
   * `200@3s`.
   */
  answers: string[]
  delayMs: number
}

export const PLAIN: InboxBehaviour = { answers: ['200'], delayMs: 0 }

export type InboxAct = number | 'hang' | 'close' | 'reset'

export interface InboxAnswer {
  act: InboxAct
  delayMs?: number
}

/** Real milliseconds. Caps every delay and `hang`, so that no connection stays open for ever. */
export const LONGEST_DELAY_MS = 60_000
export const LONGEST_HANG_MS = 600_000
const MOST_ANSWERS = 100
const WORDS = ['hang', 'close', 'reset'] as const

/** Reads `500,500,200@3s` or a list. Returns the tokens, or a text that says what is wrong. */
export function readAnswers(given: string | readonly (string | number)[]): { answers: string[] } | { problem: string } {
  const tokens = (typeof given === 'string' ? given.split(',') : given).map((token) => String(token).trim())
  if (tokens.length > MOST_ANSWERS) return { problem: `must be at most ${MOST_ANSWERS} answers, got ${tokens.length}` }
  const wrong = tokens.find((token) => readAnswer(token) === undefined)
  if (wrong === undefined) return { answers: tokens }
  return {
    problem: `must be statuses from 200 to 599, hang, close or reset, each perhaps with a delay of at most 60s such as 200@3s, got "${wrong.slice(0, 60)}".${didYouMean(wrong, WORDS)}`,
  }
}

function readAnswer(token: string): InboxAnswer | undefined {
  const [what = '', delay, ...more] = token.split('@')
  const act = /^[2-5]\d\d$/.test(what) ? Number(what) : WORDS.find((word) => word === what)
  const delayUs = delay === undefined ? undefined : parseDuration(delay)
  if (act === undefined || more.length > 0 || (delay !== undefined && delayUs === undefined)) return undefined
  if (delayUs === undefined) return { act }
  const delayMs = delayUs / 1000
  return delayMs > LONGEST_DELAY_MS ? undefined : { act, delayMs }
}

export function inboxAnswer(
  { answers, delayMs }: InboxBehaviour,
  taken: number,
): Required<InboxAnswer> & { token: string } {
  const token = answers[Math.min(taken, answers.length - 1)] ?? '200'
  const answer = readAnswer(token) ?? { act: 200 }
  return { token, act: answer.act, delayMs: answer.delayMs ?? delayMs }
}

export function answerText(message: number): string {
  return JSON.stringify({ received: message })
}

// Addresses of inboxes.

const INBOX = /(?:\/w\/([^/]+))?(\/_mfano\/inbox\/[^/]+)$/

export function inboxAddress(url: string) {
  const target = URL.parse(url)
  const match = target && INBOX.exec(target.pathname)
  if (!match) return undefined
  const root = target.origin + target.pathname.slice(0, match.index)
  return { root, world: match[1], path: `${match[2]}${target.search}` }
}
