/** What conditions can ask about earlier payments: `history.failed(request.phoneNumber) > 2`. */
import type { Kind } from '../../model/kind.ts'
import { type DurationUs, parseDuration } from '../../model/time.ts'

/** Earlier payments of the asking payment's kind, looked up only when a condition asks. */
export interface History {
  /** How many of a party's last thousand payments are in which state. */
  outcomes(party: string): ReadonlyMap<string, number>
  /** Major units that were paid to or by a party today, in the payment's currency; what failed does not count. */
  paidToday(party: string): number
  /** How many were made today, or in the length of time up to now; with a party, or by the asking organisation. */
  made(since: 'today' | DurationUs, party?: string): number
}

/** Nothing has happened yet. */
export const noHistory: History = { outcomes: () => new Map(), paidToday: () => 0, made: () => 0 }

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

  today(party: string): bigint {
    return BigInt(this.#history.made('today', party))
  }
  within(length: string, party: string): bigint {
    return BigInt(this.#history.made(parseDuration(length) ?? 0, party))
  }
  byOrganisationToday(): bigint {
    return BigInt(this.#history.made('today'))
  }
  byOrganisationWithin(length: string): bigint {
    return BigInt(this.#history.made(parseDuration(length) ?? 0))
  }

  #count(party: string, wanted: (status: string) => boolean): bigint {
    let count = 0
    for (const [status, n] of this.#history.outcomes(party)) if (wanted(status)) count += n
    return BigInt(count)
  }
}

/** Methods of `history`: what they are asked about, what they give, and an example. */
export const pastMethods = {
  succeeded: { takes: ['party'], gives: 'int', example: 'succeeded(request.phoneNumber)' },
  failed: { takes: ['party'], gives: 'int', example: 'failed(request.phoneNumber)' },
  pending: { takes: ['party'], gives: 'int', example: 'pending(request.phoneNumber)' },
  total: { takes: ['party'], gives: 'int', example: 'total(request.phoneNumber)' },
  paidToday: { takes: ['party'], gives: 'double', example: 'paidToday(request.phoneNumber)' },
  today: { takes: ['party'], gives: 'int', example: 'today(request.phoneNumber)' },
  within: { takes: ['length', 'party'], gives: 'int', example: 'within("24h", request.phoneNumber)' },
  byOrganisationToday: { takes: [], gives: 'int', example: 'byOrganisationToday()' },
  byOrganisationWithin: { takes: ['length'], gives: 'int', example: 'byOrganisationWithin("24h")' },
} as const satisfies Partial<
  Record<keyof Past, { takes: readonly ('party' | 'length')[]; gives: string; example: string }>
>

/** What is wrong with the length of time that `within` is asked about; undefined when it is one. */
export function lengthProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && (parseDuration(value) ?? 0) > 0) return undefined
  return 'Expected a length of world time, written out: "24h", "90m" or "7d".'
}
