/** Requests to the service that are under way in a world, for those who wait until an app has nothing left to ask. */
import type { Leases } from './leases.ts'

/** Counts requests from their first byte until their answer has gone out, or nobody waits for it any more, and keeps their world open so long. */
export class Traffic {
  readonly #leases: Leases
  #open = 0
  #begun = 0

  constructor(leases: Leases) {
    this.#leases = leases
  }

  /** Begins one; ends it when the function that it gives is called, once. */
  begin(): () => void {
    this.#open++
    this.#begun++
    const release = this.#leases.take()
    let open = true
    return () => {
      if (open) this.#open--
      open = false
      release()
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
