/** Requests to the service that are under way in a world, for those who wait until an app has nothing left to ask. */

/** Counts requests from their first byte until their answer has gone out, or nobody waits for it any more. */
export class Traffic {
  #open = 0
  #begun = 0

  /** Begins one; ends it when the function that it gives is called, once. */
  begin(): () => void {
    this.#open++
    this.#begun++
    let open = true
    return () => {
      if (open) this.#open--
      open = false
    }
  }

  /** Under way now. */
  get open(): number {
    return this.#open
  }

  /** All since the world was opened. */
  get begun(): number {
    return this.#begun
  }
}
