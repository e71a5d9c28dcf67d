/** The meaning of a status for the money. */

import { isFailed, isPaid } from '../../core/lifecycle.ts'

/** `open`: not decided. `unpaid`: moved nothing, or what it moved was returned. */
export type Outcome = 'open' | 'paid' | 'unpaid'

/** `REFUSED` and `REJECTED` are no states: apps write them when the service made no payment. */
const NEVER_MADE = ['REFUSED', 'REJECTED']

/** An unknown word counts as open. */
export function outcomeOf(status: string): Outcome {
  const word = status.trim().toUpperCase()
  if (isPaid(word)) return 'paid'
  return isFailed(word) || NEVER_MADE.includes(word) ? 'unpaid' : 'open'
}
