/** A prompt on a phone: which payments ask for one, and what their records say when it goes wrong. */
import type { JsonObject, Payment } from '../../model/payment.ts'
import { type DurationUs, SECOND_US } from '../../model/time.ts'

/** A prompt that is put aside is gone this long after it came up. Assumed. */
export const PROMPT_LASTS_US: DurationUs = 60 * SECOND_US

export type PromptFailure = 'cancelled' | 'wrong-pin' | 'insufficient-funds' | 'unanswered'

/** As the network reports them. Codes and texts as the default scenario has them: assumed. */
const stkFailures: Record<PromptFailure, JsonObject> = {
  cancelled: {
    responseCode: 1032,
    responseDescription: 'Request cancelled by user',
    customerMessage: 'Request cancelled by user',
  },
  'wrong-pin': {
    responseCode: 2001,
    responseDescription: 'The initiator information is invalid',
    customerMessage: 'Wrong PIN',
  },
  'insufficient-funds': {
    responseCode: 1,
    responseDescription: 'The balance is insufficient for the transaction',
    customerMessage: 'The balance is insufficient for the transaction',
  },
  unanswered: { responseCode: 1037, responseDescription: 'No response from user' },
}

/** Whether the phone of its party shows a prompt for it. A payer who pays by card is challenged on the page. */
export function isPrompt({ kind, status, details }: Pick<Payment, 'kind' | 'status' | 'details'>): boolean {
  if (kind === 'stk') return status === 'PENDING'
  return kind === 'checkout' && status === 'REQUIRES_CUSTOMER_ACTION' && details['challenge'] === undefined
}

/** Fields that a failed prompt sets; of a checkout session only the page and the explanation show them. */
export function promptFailure({ kind }: Pick<Payment, 'kind'>, failure: PromptFailure): JsonObject {
  return kind === 'stk' ? stkFailures[failure] : { failure }
}

/** Whether the holder has put the prompt aside. */
export function isIgnored({ history }: Pick<Payment, 'history'>): boolean {
  return history.at(-1)?.event === 'ignore'
}

/** When the prompt came up on the phone. */
export function askedAtUs({ kind, history, createdAtUs }: Payment): number {
  if (kind === 'stk') return createdAtUs
  return (
    history.findLast(({ event, status }) => status === 'REQUIRES_CUSTOMER_ACTION' && event !== 'ignore')?.atUs ??
    createdAtUs
  )
}
