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
  readonly history: History
  constructor(history: History) {
    this.history = history
  }
}

type Ask = (history: History, ...given: string[]) => bigint | number

export interface PastMethod {
  takes: readonly ('party' | 'length')[]
  gives: 'int' | 'double'
  example: string
  meaning: string
  ask: Ask
  /** Only payments in this direction have such a party; all when left out. */
  direction?: Kind['direction']
}

const examples = { party: 'request.phoneNumber', length: '"24h"' }

function past(
  name: string,
  takes: PastMethod['takes'],
  meaning: string,
  ask: Ask,
  more: Pick<PastMethod, 'direction'> & Partial<Pick<PastMethod, 'gives'>> = {},
): [name: string, method: PastMethod] {
  const example = `${name}(${takes.map((one) => examples[one]).join(', ')})`
  return [name, { takes, gives: 'int', example, meaning, ask, ...more }]
}

const counting =
  (wanted: (status: string) => boolean): Ask =>
  (history, party = '') => {
    let count = 0
    for (const [status, n] of history.outcomes(party)) if (wanted(status)) count += n
    return BigInt(count)
  }
const madeIn: Ask = (history, length = '', party) => BigInt(history.made(parseDuration(length) ?? 0, party))
const sameToday: Ask = (history) => BigInt(history.madeWithParty('today'))
const sameIn: Ask = (history, length = '') => BigInt(history.madeWithParty(parseDuration(length) ?? 0))
const [out, into] = [{ direction: 'out' }, { direction: 'in' }] as const

export const pastMethods: Readonly<Record<string, PastMethod>> = Object.fromEntries([
  past('succeeded', ['party'], 'How many succeeded.', counting(isPaid)),
  past('failed', ['party'], 'How many failed or expired.', counting(isFailed)),
  past('pending', ['party'], 'How many have not ended.', counting(isOpen)),
  past(
    'total',
    ['party'],
    'How many there are, at most a thousand.',
    counting(() => true),
  ),
  past(
    'paidToday',
    ['party'],
    "Shillings paid to or by the party today, in the payment's currency, without failed payments.",
    (history, party = '') => history.paidToday(party),
    { gives: 'double' },
  ),
  past('today', ['party'], 'How many were created since midnight.', (history, party) =>
    BigInt(history.made('today', party)),
  ),
  past('within', ['length', 'party'], 'How many were created in that duration.', madeIn),
  past('byPayeeToday', [], 'How many were sent to the same party since midnight.', sameToday, out),
  past('byPayeeWithin', ['length'], 'How many were sent to the same party in that duration.', sameIn, out),
  past('byPayerToday', [], 'How many the same phone was asked to pay since midnight.', sameToday, into),
  past('byPayerWithin', ['length'], 'How many the same phone was asked to pay in that duration.', sameIn, into),
  past('byOrganisationToday', [], 'How many the organisation created since midnight.', (history) =>
    BigInt(history.made('today')),
  ),
  past('byOrganisationWithin', ['length'], 'How many the organisation created in that duration.', madeIn),
])

export function pastMethodsOf(direction: Kind['direction']): [name: string, method: PastMethod][] {
  return Object.entries(pastMethods).filter(([, method]) => (method.direction ?? direction) === direction)
}

export function lengthProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && (parseDuration(value) ?? 0) > 0) return undefined
  return 'Expected a length of simulated time, written out: "24h", "90m" or "7d".'
}
