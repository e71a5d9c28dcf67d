/** A prompt on a phone: which payments ask for one, since when, and whether it was put aside. */
import type { Kind } from './kind.ts'
import type { Payment } from './payment.ts'
import { type DurationUs, SECOND_US } from './time.ts'

/** A prompt that is put aside is gone this long after it came up. Assumed. */
export const PROMPT_LASTS_US: DurationUs = 60 * SECOND_US

/** What becomes of a prompt by itself. */
export const promptWaits = ['settle', 'prompt', 'unanswered'] as const

/** Whether the phone of its party shows a prompt for it. A payer who pays by card is challenged on the page. */
export function isPrompt({ prompt }: Kind, { status, details }: Pick<Payment, 'status' | 'details'>): boolean {
  return status === prompt?.status && details['challenge'] === undefined
}

/** Whether the holder has put the prompt aside. */
export function isIgnored({ history }: Pick<Payment, 'history'>): boolean {
  return history.all.at(-1)?.event === 'ignore'
}

/** Whether the prompt was made to wait for somebody who looks at it. */
export function isHeld({ history }: Pick<Payment, 'history'>): boolean {
  return history.all.at(-1)?.event === 'hold'
}

/** When the prompt came up on the phone. */
export function askedAtUs({ prompt }: Kind, { history, createdAtUs }: Payment): number {
  const came = history.all.findLast(
    ({ status }, i) => status === prompt?.status && history.all[i - 1]?.status !== status,
  )
  return came?.atUs ?? createdAtUs
}
