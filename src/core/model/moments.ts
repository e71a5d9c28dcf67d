/** The history of a payment. */
import type { InstantUs } from './time.ts'

export const momentBy = ['plan', 'operator', 'payer', 'request', 'float'] as const
export type MomentBy = (typeof momentBy)[number]

export interface Moment {
  atUs: InstantUs
  event: string
  status: string
  by: MomentBy
  detail?: string
}

/** Stored as a tuple, because the names of its fields would take most of the space. */
type Stored = [atUs: InstantUs, event: string, status: string, by: MomentBy, detail?: string]

/** Parsed on demand: most steps append one moment and read none. */
export class Moments {
  #text: string
  #all: readonly Moment[] | undefined

  private constructor(text: string) {
    this.#text = text
  }

  static stored(text: string): Moments {
    return new Moments(text)
  }

  static of(first: Moment): Moments {
    return new Moments(`[${textOf(first)}]`)
  }

  add(moment: Moment): void {
    // Only a text written by hand ends differently.
    this.#text = this.#text.endsWith(']]')
      ? `${this.#text.slice(0, -1)},${textOf(moment)}]`
      : `[${[...this.all, moment].map(textOf).join(',')}]`
    this.#all = undefined
  }

  get all(): readonly Moment[] {
    if (this.#all) return this.#all
    const stored: Stored[] = JSON.parse(this.#text)
    this.#all = stored.map(([atUs, event, status, by, detail]) => ({
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
