/** Conditions can ask about earlier payments, such as `history.failed(request.phoneNumber) > 2`. */
import { isFailed, isOpen, isPaid } from '../../lifecycle.ts'
import type { Kind } from '../../model/kind.ts'
import { type DurationUs, parseDuration } from '../../model/time.ts'

export interface History {
  /** By state: how many of a party's last thousand payments are in it. */
  outcomes(party: string): ReadonlyMap<string, number>
  /** Major units in the payment's currency, paid to or by the party today. Failed payments do not count. */
  paidToday(party: string): number
  /** Today, or in a duration up to now; with a party, or by the asking organisation. */
  made(since: 'today' | DurationUs, party?: string): number
  madeWithParty(since: 'today' | DurationUs): number
}

export const noHistory: History = {
  outcomes: () => new Map(),
  paidToday: () => 0,
  made: () => 0,
  madeWithParty: () => 0,
}

export function hasHistory({ party }: Kind): boolean {
  return party !== null
}

/** A class, because CEL knows values by their class. */
export class PaymentHistory {
  readonly #history: History
  constructor(history: History) {
    this.#history = history
  }

  succeeded(party: string): bigint {
    return this.#count(party, isPaid)
  }
  failed(party: string): bigint {
    return this.#count(party, isFailed)
  }
  pending(party: string): bigint {
    return this.#count(party, isOpen)
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

export interface PastMethod {
  takes: readonly ('party' | 'length')[]
  gives: 'int' | 'double'
  example: string
  meaning: string
  /** Only payments in this direction have such a party; all when left out. */
  direction?: Kind['direction']
}

export const pastMethods: Readonly<Record<Exclude<keyof PaymentHistory, symbol>, PastMethod>> = {
  succeeded: {
    takes: ['party'],
    gives: 'int',
    example: 'succeeded(request.phoneNumber)',
    meaning: 'How many succeeded.',
  },
  failed: {
    takes: ['party'],
    gives: 'int',
    example: 'failed(request.phoneNumber)',
    meaning: 'How many failed or expired.',
  },
  pending: {
    takes: ['party'],
    gives: 'int',
    example: 'pending(request.phoneNumber)',
    meaning: 'How many have not ended.',
  },
  total: {
    takes: ['party'],
    gives: 'int',
    example: 'total(request.phoneNumber)',
    meaning: 'How many there are, at most a thousand.',
  },
  paidToday: {
    takes: ['party'],
    gives: 'double',
    example: 'paidToday(request.phoneNumber)',
    meaning: "Shillings paid to or by the party today, in the payment's currency, without failed payments.",
  },
  today: {
    takes: ['party'],
    gives: 'int',
    example: 'today(request.phoneNumber)',
    meaning: 'How many were created since midnight.',
  },
  within: {
    takes: ['length', 'party'],
    gives: 'int',
    example: 'within("24h", request.phoneNumber)',
    meaning: 'How many were created in that duration.',
  },
  byPayeeToday: {
    takes: [],
    gives: 'int',
    example: 'byPayeeToday()',
    meaning: 'How many were sent to the same party since midnight.',
    direction: 'out',
  },
  byPayeeWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byPayeeWithin("24h")',
    meaning: 'How many were sent to the same party in that duration.',
    direction: 'out',
  },
  byPayerToday: {
    takes: [],
    gives: 'int',
    example: 'byPayerToday()',
    meaning: 'How many the same phone was asked to pay since midnight.',
    direction: 'in',
  },
  byPayerWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byPayerWithin("24h")',
    meaning: 'How many the same phone was asked to pay in that duration.',
    direction: 'in',
  },
  byOrganisationToday: {
    takes: [],
    gives: 'int',
    example: 'byOrganisationToday()',
    meaning: 'How many the organisation created since midnight.',
  },
  byOrganisationWithin: {
    takes: ['length'],
    gives: 'int',
    example: 'byOrganisationWithin("24h")',
    meaning: 'How many the organisation created in that duration.',
  },
}

export function isPastMethod(name: string): name is keyof typeof pastMethods {
  return Object.hasOwn(pastMethods, name)
}

export function pastMethodsOf(direction: Kind['direction']): [name: string, method: PastMethod][] {
  return Object.entries(pastMethods).filter(([, method]) => (method.direction ?? direction) === direction)
}

export function lengthProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && (parseDuration(value) ?? 0) > 0) return undefined
  return 'Expected a length of simulated time, written out: "24h", "90m" or "7d".'
}
