/** Prompts on phones: which payments show one, since when, and whether the holder dismissed it. */
import type { Kind } from './kind.ts'
import type { Payment } from './payment.ts'
import { type DurationUs, SECOND_US } from './time.ts'

/** A dismissed prompt disappears after this time. Assumed. */
export const PROMPT_LASTS_US: DurationUs = 60 * SECOND_US

export const promptWaits = ['settle', 'prompt', 'unanswered'] as const

/** No prompt for a card: its payer is challenged on the page. */
export function isPrompt({ prompt }: Kind, { status, details }: Pick<Payment, 'status' | 'details'>): boolean {
  return status === prompt?.status && details['challenge'] === undefined
}

export function isIgnored({ history }: Pick<Payment, 'history'>): boolean {
  return history.at(-1)?.event === 'ignore'
}

export function isHeld({ history }: Pick<Payment, 'history'>): boolean {
  return history.at(-1)?.event === 'hold'
}

export function askedAtUs({ prompt }: Kind, { history, createdAtUs }: Payment): number {
  const came = history.findLast(({ status }, i) => status === prompt?.status && history[i - 1]?.status !== status)
  return came?.atUs ?? createdAtUs
}

/** Answers that the holder of a phone can give to a prompt. `ignore` leaves it until it expires. */
export const promptAnswers = ['approve', 'cancel', 'wrong-pin', 'ignore'] as const
export type PromptAnswer = (typeof promptAnswers)[number]
