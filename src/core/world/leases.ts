/**
 * Counts who is at work in a world: requests, deliveries, moving time, those that wait for something or follow its
 * events. A world that nobody holds may be closed to save memory, and is opened again when it is asked for.
 */
export class Leases {
  #count = 0
  readonly #onFree: () => void

  /** `onFree`: runs whenever the last hold ends. */
  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  /** Leases until the function that it gives is called; calling it again does nothing. */
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
