import type { PaymentKind } from '../../src/core/model/payment.ts'
import type { TestWorld } from '../support/harness.ts'

/**
 * Which of their scenarios' own rules, faults and rails some stories have met, as far as they are about the kinds of payments
 * that the stories make. A rule that no story meets is not shown to do anything.
 */
export class MetRules {
  readonly #kinds: readonly PaymentKind[]
  /** By scenario and rule. */
  readonly #met = new Map<string, boolean>()

  constructor(kinds: readonly PaymentKind[]) {
    this.#kinds = kinds
  }

  /** Takes up what a world has met; the ordinary day has more rules than stories. */
  async note(world: TestWorld): Promise<void> {
    const { scenario, rules, faults, rails } = await world.control('GET', '/scenario/hits')
    if (scenario === 'default') return
    for (const { rule, fault, rail, hits, on, inherited } of [...rules, ...faults, ...rails]) {
      if (inherited || (fault === undefined && !this.#kinds.some((kind) => on.includes(kind)))) continue
      const name = `${scenario}: ${rule ?? fault ?? rail}`
      this.#met.set(name, this.#met.get(name) === true || hits > 0)
    }
  }

  get unmet(): string[] {
    return [...this.#met].filter(([, isMet]) => !isMet).map(([name]) => name)
  }
}
