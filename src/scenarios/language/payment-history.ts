/** What conditions can ask about earlier payments: `history.failed(request.phoneNumber) > 2`. */
import type { Kind } from '../../model/kind.ts'

/** Earlier payments of the asking payment's kind, looked up only when a condition asks. */
export interface History {
  /** How many of a party's last thousand payments are in which state. */
  outcomes(party: string): ReadonlyMap<string, number>
  /** Major units that were paid to or by a party today, in the payment's currency; what failed does not count. */
  paidToday(party: string): number
}

/** Nothing has happened yet. */
export const noHistory: History = { outcomes: () => new Map(), paidToday: () => 0 }

/** Whether payments of a kind name the party that a history is of. */
export function hasHistory({ party }: Kind): boolean {
  return party !== null
}

const GOOD = ['SUCCESS', 'SUCCEEDED']
const BAD = ['FAILED', 'EXPIRED']

/** The value of `history`, which CEL knows by its class. */
export class Past {
  readonly #history: History
  constructor(history: Readonly<Record<string, unknown>>) {
    this.#history = history as unknown as History
  }

  succeeded(party: string): bigint {
    return this.#count(party, (status) => GOOD.includes(status))
  }
  failed(party: string): bigint {
    return this.#count(party, (status) => BAD.includes(status))
  }
  pending(party: string): bigint {
    return this.#count(party, (status) => !GOOD.includes(status) && !BAD.includes(status))
  }
  total(party: string): bigint {
    return this.#count(party, () => true)
  }
  paidToday(party: string): number {
    return this.#history.paidToday(party)
  }

  #count(party: string, wanted: (status: string) => boolean): bigint {
    let count = 0
    for (const [status, n] of this.#history.outcomes(party)) if (wanted(status)) count += n
    return BigInt(count)
  }
}

/** Methods of `history` and what they give. */
export const pastMethods = {
  succeeded: 'int',
  failed: 'int',
  pending: 'int',
  total: 'int',
  paidToday: 'double',
} as const satisfies Partial<Record<keyof Past, string>>
