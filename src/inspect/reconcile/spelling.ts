/** When two references are the same to a person. Pure. */
import { isFailed, isPaid } from '../../core/lifecycle.ts'

/** Format characters that no editor shows: zero-width spaces, joiners, direction marks. */
const INVISIBLE = /\p{Cf}/gu
/** A spreadsheet shows a long number so, and saves no more of it as CSV. */
const ROUNDED = /^(\d)(?:[.,](\d+))?E\+?(\d+)$/i

/** How both sides of a comparison are read: composed letters, single blanks, none at the ends. */
export function normalText(text: string): string {
  return text.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()
}

/** Finds the value whose text differs from another by spelling only: blanks, punctuation, case, leading zeros, rounding. */
export class Spellings<Value> {
  readonly #plain: ReadonlyMap<string, Value>
  readonly #textOf: (value: Value) => string | null

  constructor(values: readonly Value[], textOf: (value: Value) => string | null) {
    this.#textOf = textOf
    this.#plain = new Map(values.map((value) => [plainText(textOf(value) ?? ''), value]))
  }

  find(written: string): Value | undefined {
    const plain = plainText(written)
    if (plain === '') return undefined
    const rounded = ROUNDED.exec(written)
    return this.#plain.get(plain) ?? (rounded ? this.#numberLike(rounded) : undefined)
  }

  #numberLike([, first, decimals = '', exponent]: RegExpExecArray): Value | undefined {
    const exact = `${first}${decimals && `.${decimals}`}e+${Number(exponent)}`
    return [...this.#plain.values()].find((value) => {
      const text = this.#textOf(value) ?? ''
      return /^\d+$/.test(text) && Number(text).toExponential(Math.min(decimals.length, 100)) === exact
    })
  }
}

function plainText(text: string): string {
  return text
    .toUpperCase()
    .replace(/[\s\-_./#]/g, '')
    .replace(/(?<!\d)0+(?=\d)/g, '')
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
