/** What conditions can ask about earlier payments: `history.failed(request.phoneNumber) > 2`. */
import type { Kind } from './model/kind.ts'
import { type DurationUs, parseDuration } from './model/time.ts'

/** Earlier payments of the asking payment's kind, looked up only when a condition asks. */
export interface History {
  /** How many of a party's last thousand payments are in which state. */
  outcomes(party: string): ReadonlyMap<string, number>
  /** Major units that were paid to or by a party today, in the payment's currency; what failed does not count. */
  paidToday(party: string): number
  /** How many were made today, or in the length of time up to now; with a party, or by the asking organisation. */
  made(since: 'today' | DurationUs, party?: string): number
  /** As `made`, with the party of the asking payment; 0 where it names none. */
  madeWithParty(since: 'today' | DurationUs): number
}

/** Nothing has happened yet. */
export const noHistory: History = {
  outcomes: () => new Map(),
  paidToday: () => 0,
  made: () => 0,
  madeWithParty: () => 0,
}

/** Whether payments of a kind name the party that a history is of. */
export function hasHistory({ party }: Kind): boolean {
  return party !== null
}

const GOOD = ['SUCCESS', 'SUCCEEDED']
const BAD = ['FAILED', 'EXPIRED']

/** The value of `history`, which CEL knows by its class. */
export class PaymentHistory {
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

  byPayeeToday(): bigint {
    return BigInt(this.#history.madeWithParty('today'))
  }
  byPayeeWithin(length: string): bigint {
    return BigInt(this.#history.madeWithParty(parseDuration(length) ?? 0))
  }
  byPayerToday(): bigint {
    return this.byPayeeToday()
  }
  byPayerWithin(length: string): bigint {
    return this.byPayeeWithin(length)
  }

  #count(party: string, wanted: (status: string) => boolean): bigint {
    let count = 0
    for (const [status, n] of this.#history.outcomes(party)) if (wanted(status)) count += n
    return BigInt(count)
  }
}

/** A method of `history`: what it is asked about, what it gives, an example, and what it means. */
export interface PastMethod {
  takes: readonly ('party' | 'length')[]
  gives: 'int' | 'double'
  example: string
  meaning: string
  /** Only payments that go this way have such a party; all when left out. */
  direction?: Kind['direction']
}

const ofThousand = "among the party's last thousand payments of this kind"

/** The methods of `history`. */
export const pastMethods: Readonly<Record<Exclude<keyof PaymentHistory, symbol>, PastMethod>> = {
  succeeded: {
    takes: ['party'],
    gives: 'int',
    example: 'succeeded(request.phoneNumber)',
    meaning: `how many succeeded, ${ofThousand}`,
  },
  failed: {
    takes: ['party'],
    gives: 'int',
    example: 'failed(request.phoneNumber)',
    meaning: `how many failed or expired, ${ofThousand}`,
  },
  pending: {
    takes: ['party'],
    gives: 'int',
    example: 'pending(request.phoneNumber)',
    meaning: `how many have not ended, ${ofThousand}`,
  },
  total: {
    takes: ['party'],
    gives: 'int',
    example: 'total(request.phoneNumber)',
    meaning: 'how many there are, a thousand at most',
  },
  paidToday: {
    takes: ['party'],
    gives: 'double',
    example: 'paidToday(request.phoneNumber)',
    meaning: "shillings paid to or by the party today, in the payment's currency; what failed does not count",
  },
  today: {
    takes: ['party'],
    gives: 'int',
    example: 'today(request.phoneNumber)',
    meaning: 'how many were made with the party since midnight',
  },
  within: {
    takes: ['length', 'party'],
    gives: 'int',
    example: 'within("24h", request.phoneNumber)',
    meaning: 'how many were made with the party in that length of time',
  },
  byPayeeToday: {
    takes: [],
    gives: 'int',
    example: 'byPayeeToday()',
    meaning: 'how many were made to the same phone, business or account since midnight',
    direction: 'out',
  },
  byPayeeWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byPayeeWithin("24h")',
    meaning: 'how many were made to the same phone, business or account in that length of time',
    direction: 'out',
  },
  byPayerToday: {
    takes: [],
    gives: 'int',
    example: 'byPayerToday()',
    meaning: 'how many the same phone was asked for since midnight',
    direction: 'in',
  },
  byPayerWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byPayerWithin("24h")',
    meaning: 'how many the same phone was asked for in that length of time',
    direction: 'in',
  },
  byOrganisationToday: {
    takes: [],
    gives: 'int',
    example: 'byOrganisationToday()',
    meaning: 'how many the asking organisation made since midnight',
  },
  byOrganisationWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byOrganisationWithin("24h")',
    meaning: 'how many the asking organisation made in that length of time',
  },
}

/** The methods that conditions on payments of a direction can ask. */
export function pastMethodsOf(direction: Kind['direction']): [name: string, method: PastMethod][] {
  return Object.entries(pastMethods).filter(([, method]) => (method.direction ?? direction) === direction)
}

/** What is wrong with the length of time that `within` is asked about; undefined when it is one. */
export function lengthProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && (parseDuration(value) ?? 0) > 0) return undefined
  return 'Expected a length of simulated time, written out: "24h", "90m" or "7d".'
}
