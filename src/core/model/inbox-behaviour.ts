/** How a ready-made inbox answers what is posted to it, so that a merchant's endpoint can be played with its bad days. */
import { didYouMean } from './did-you-mean.ts'
import type { Json } from './payment.ts'
import { parseDuration } from './time.ts'

export interface InboxBehaviour {
  /**
   * One for each message in turn, the last for all that come after: a status such as `500`, or `hang`, `close`, `reset`;
   * with a delay of its own behind `@`, as in `200@3s`.
   */
  answers: string[]
  /** Real milliseconds before each answer that has no delay of its own. */
  delayMs: number
  headers: Record<string, string>
  /** A text goes as it is, anything else as JSON; null stands for the usual `{"received": 7}`. */
  body: Json
}

/** Every inbox that was told nothing. */
export const PLAIN: InboxBehaviour = { answers: ['200'], delayMs: 0, headers: {}, body: null }

/** What becomes of a message: a status, no answer at all, or a connection that ends plainly or by a TCP reset. */
export type InboxAct = number | 'hang' | 'close' | 'reset'

/** One answer. */
export interface InboxAnswer {
  act: InboxAct
  /** Real milliseconds; that of the behaviour when left out. */
  delayMs?: number
}

/** No answer comes later than this, and nothing hangs longer; real milliseconds. */
export const LONGEST_DELAY_MS = 60_000
export const LONGEST_HANG_MS = 600_000
/** More answers than these are not remembered. */
const MOST_ANSWERS = 100
const WORDS = ['hang', 'close', 'reset'] as const

/** Reads `500,500,200@3s` or a list of such answers. Gives their tokens, or what is wrong with them. */
export function readAnswers(given: string | readonly (string | number)[]): { answers: string[] } | { problem: string } {
  const tokens = (typeof given === 'string' ? given.split(',') : given).map((token) => String(token).trim())
  if (tokens.length > MOST_ANSWERS) return { problem: `must be at most ${MOST_ANSWERS} answers, got ${tokens.length}` }
  const wrong = tokens.find((token) => readAnswer(token) === undefined)
  if (wrong === undefined) return { answers: tokens }
  return {
    problem: `must be statuses from 200 to 599, hang, close or reset, each perhaps with a delay of at most 60s such as 200@3s, got "${wrong.slice(0, 60)}".${didYouMean(wrong, WORDS)}`,
  }
}

/** One answer; undefined when the token is none. */
export function readAnswer(token: string): InboxAnswer | undefined {
  const [what = '', delay, ...more] = token.split('@')
  const act = /^[2-5]\d\d$/.test(what) ? Number(what) : WORDS.find((word) => word === what)
  const delayUs = delay === undefined ? undefined : parseDuration(delay)
  if (act === undefined || more.length > 0 || (delay !== undefined && delayUs === undefined)) return undefined
  if (delayUs === undefined) return { act }
  const delayMs = delayUs / 1000
  return delayMs > LONGEST_DELAY_MS ? undefined : { act, delayMs }
}

/** What it does with the message behind so many others. */
export function answerOf(
  { answers, delayMs }: InboxBehaviour,
  taken: number,
): Required<InboxAnswer> & { token: string } {
  const token = answers[Math.min(taken, answers.length - 1)] ?? '200'
  const answer = readAnswer(token) ?? { act: 200 }
  return { token, act: answer.act, delayMs: answer.delayMs ?? delayMs }
}

/** What a message is answered with, by its number: its type, and its text. */
export function answerText({ body }: Pick<InboxBehaviour, 'body'>, message: number): { type: string; text: string } {
  if (typeof body === 'string') return { type: 'text/plain; charset=utf-8', text: body }
  return { type: 'application/json', text: JSON.stringify(body ?? { received: message }) }
}
