/** What happened to a payment, one moment after the other. */
import type { InstantUs } from './time.ts'

/** Who brings about what happens to a payment: its plan, an operator, its payer, a request of the merchant, its float. */
export const momentBy = ['plan', 'operator', 'payer', 'request', 'float'] as const
export type MomentBy = (typeof momentBy)[number]

/** One step of a payment's life. */
export interface Moment {
  atUs: InstantUs
  event: string
  status: string
  /** Who brought it about. */
  by: MomentBy
  /** What kept it from being done, as a code: that of a refusal, or `wallet_short`. */
  detail?: string
}

/** A moment as it is stored, in this order: a payment has several, and their names would be most of what they take. */
type Stored = [atUs: InstantUs, event: string, status: string, by: MomentBy, detail?: string]

/** Moments as they are stored, read when somebody asks: most steps of a payment add one and look at none. */
export class Moments {
  /** A JSON array of `Stored`. */
  #text: string
  #all: readonly Moment[] | undefined

  private constructor(text: string) {
    this.#text = text
  }

  /** Those that a text holds which `text` gave. */
  static stored(text: string): Moments {
    return new Moments(text)
  }

  static of(first: Moment): Moments {
    return new Moments(`[${textOf(first)}]`)
  }

  add(moment: Moment): void {
    // Only what was written by hand ends otherwise.
    this.#text = this.#text.endsWith(']]')
      ? `${this.#text.slice(0, -1)},${textOf(moment)}]`
      : `[${[...this.all, moment].map(textOf).join(',')}]`
    this.#all = undefined
  }

  get all(): readonly Moment[] {
    this.#all ??= (JSON.parse(this.#text) as Stored[]).map(([atUs, event, status, by, detail]) => ({
      atUs,
      event,
      status,
      by,
      ...(detail !== undefined && { detail }),
    }))
    return this.#all
  }

  get text(): string {
    return this.#text
  }

  toJSON(): readonly Moment[] {
    return this.all
  }
}

function textOf({ atUs, event, status, by, detail }: Moment): string {
  const stored: Stored = detail === undefined ? [atUs, event, status, by] : [atUs, event, status, by, detail]
  return JSON.stringify(stored)
}
