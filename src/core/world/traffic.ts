/** Requests under way in a world, for tests that wait until an app is quiet. */
import type { Leases } from './leases.ts'

/** From the first byte of a request to the end of its answer, or until the caller gives up. Keeps the world open. */
export class Traffic {
  readonly #leases: Leases
  #open = 0
  #begun = 0

  constructor(leases: Leases) {
    this.#leases = leases
  }

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

  get open(): number {
    return this.#open
  }

  /** Since the world was opened. */
  get begun(): number {
    return this.#begun
  }
}
