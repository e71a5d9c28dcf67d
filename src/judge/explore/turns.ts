/** Has only so much work under way at a time. */

export class Turns {
  #free: number
  readonly #first: (() => void)[] = []
  readonly #others: (() => void)[] = []
  #isHeld = false

  constructor(most: number) {
    this.#free = most
  }

  /** Does work once it is its turn, or `first` before all other that waits. */
  async take<T>(work: () => Promise<T>, { first } = { first: false }): Promise<T> {
    await new Promise<void>((resolve) => {
      const waiting = first ? this.#first : this.#others
      waiting.push(resolve)
      this.#go()
    })
    try {
      return await work()
    } finally {
      this.#free++
      this.#go()
    }
  }

  /** Until this has ended, only what is `first` begins. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#isHeld = true
    try {
      return await work()
    } finally {
      this.#isHeld = false
      this.#go()
    }
  }

  #go(): void {
    while (this.#free > 0) {
      const next = this.#first.shift() ?? (this.#isHeld ? undefined : this.#others.shift())
      if (!next) return
      this.#free--
      next()
    }
  }
}
