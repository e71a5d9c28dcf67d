/** What a word for a payment's state means for its money. */

/** `open`: it can still become either. `unpaid`: it moved nothing, or what it moved was given back. */
export type Outcome = 'open' | 'paid' | 'unpaid'

const PAID = ['SUCCESS', 'SUCCEEDED']
/** `REFUSED` and `REJECTED` are no states: apps write them where the service made no payment. */
const UNPAID = ['FAILED', 'EXPIRED', 'CANCELLED', 'REFUSED', 'REJECTED']

/** What a status says. A word that nobody knows says that it is not over, as far as anybody can tell. */
export function outcomeOf(status: string): Outcome {
  const word = status.trim().toUpperCase()
  if (PAID.includes(word)) return 'paid'
  return UNPAID.includes(word) ? 'unpaid' : 'open'
}
