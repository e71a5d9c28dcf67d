/** The meaning of a status for the money. */

/** `open`: not decided. `unpaid`: moved nothing, or what it moved was returned. */
export type Outcome = 'open' | 'paid' | 'unpaid'

const PAID = ['SUCCESS', 'SUCCEEDED']
/** `REFUSED` and `REJECTED` are no states: apps write them when the service made no payment. */
const UNPAID = ['FAILED', 'EXPIRED', 'CANCELLED', 'REFUSED', 'REJECTED']

/** An unknown word counts as open. */
export function outcomeOf(status: string): Outcome {
  const word = status.trim().toUpperCase()
  if (PAID.includes(word)) return 'paid'
  return UNPAID.includes(word) ? 'unpaid' : 'open'
}
