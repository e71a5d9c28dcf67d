/** Plans of payments, as they are stored. */
import type { Plan } from '../model/payment.ts'

/** Plans that are known at once: of most scenarios nearly all payments share a few. */
const KNOWN_MAX = 200

/** Plans that were read, by their JSON: payments whose plans are alike share one, which is frozen for that. */
export class Plans {
  #known = new Map<string, Plan>()
  #last: { text: string; plan: Plan } | undefined

  of(text: string): Plan {
    // Cheaper than to look it up.
    if (text === this.#last?.text) return this.#last.plan
    const plan = this.#known.get(text) ?? this.#read(text)
    this.#last = { text, plan }
    return plan
  }

  #read(text: string): Plan {
    const plan = frozen(JSON.parse(text) as Plan)
    // Of a scenario that draws, each may be another.
    if (this.#known.size >= KNOWN_MAX) this.#known = new Map()
    this.#known.set(text, plan)
    return plan
  }
}

/** With all that is in it. */
function frozen<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner)
  return Object.freeze(value)
}
