/** What happened to a payment, one moment after the other. */
import type { Moment } from './payment.ts'

/** Moments as they are stored, read when somebody asks: most steps of a payment add one and look at none. */
export class Moments {
  /** A JSON array. */
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
    return new Moments(JSON.stringify([first]))
  }

  add(moment: Moment): void {
    // Only what was written by hand ends otherwise.
    this.#text = this.#text.endsWith('}]')
      ? `${this.#text.slice(0, -1)},${JSON.stringify(moment)}]`
      : JSON.stringify([...this.all, moment])
    this.#all = undefined
  }

  get all(): readonly Moment[] {
    this.#all ??= JSON.parse(this.#text) as Moment[]
    return this.#all
  }

  get text(): string {
    return this.#text
  }

  toJSON(): readonly Moment[] {
    return this.all
  }
}
