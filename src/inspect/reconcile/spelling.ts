/** How references and statuses of books are read. Pure. */
import { isFailed, isPaid } from '../../core/lifecycle.ts'

/** Format characters that no editor shows: zero-width spaces, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu

/** How both sides of a comparison are read: composed letters, single blanks, none at the ends. */
export function normalText(text: string): string {
  return text.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** `open`: not decided. `unpaid`: moved nothing, or what it moved was returned. */
export type Outcome = 'open' | 'paid' | 'unpaid'

/** Besides the service's own words, those that most apps have for them. */
const PAID = ['PAID', 'DONE', 'COMPLETE', 'COMPLETED', 'SETTLED', 'SUCCESSFUL']
const UNPAID = ['REFUSED', 'REJECTED', 'DECLINED', 'ERROR', 'CANCELED', 'REVERSED', 'RETURNED']

/** An unknown word counts as open. */
export function outcomeOf(status: string): Outcome {
  const word = status.trim().toUpperCase()
  if (isPaid(word) || PAID.includes(word)) return 'paid'
  return isFailed(word) || UNPAID.includes(word) ? 'unpaid' : 'open'
}
