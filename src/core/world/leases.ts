/** Counts the users of a world. A world without users may be closed to save memory, and opens again on demand. */
export class Leases {
  #count = 0
  readonly #onFree: () => void

  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  take(): () => void {
    this.#count++
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#count--
      if (this.#count === 0) this.#onFree()
    }
  }

  get free(): boolean {
    return this.#count === 0
  }
}
