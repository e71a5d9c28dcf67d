import { isFailed, isOpen, isPaid } from '../../lifecycle.ts'
import type { Chance } from '../../model/chance.ts'
import type { JsonObject, PaymentKind, Plan } from '../../model/payment.ts'
import { type DurationUs, type InstantUs, parseDuration } from '../../model/time.ts'
import type { RefusalAnswer } from '../keys/schema-parts.ts'

/** Values only, so that a decision is pure: the engine looks everything up before. */
export interface CommonFacts {
  request: JsonObject
  organisation: { uuid: string; name: string; parent: boolean } | undefined
  headers?: Readonly<Record<string, string>>
  nowUs: InstantUs
  zoneUs?: DurationUs
  /** Counts the payments of this kind, or the requests of this operation that faults watched, from 1. */
  nth: number
  matched(name: string): number
  chance: Chance
}

export interface RequestFacts extends CommonFacts {
  operation: { id: string; method: string; path: string }
  tokenIssuedAtUs: InstantUs | undefined
  letThrough(fault: string, window: number): number
}

export interface Facts extends CommonFacts {
  kind: PaymentKind
  outcome?: string | undefined
  walletAvailable: number
  history: History
  hasCallback?: boolean
  /** Counts decisions from 1, refusals included. Odds are drawn with it. */
  draw: number
}

export interface RuleRefusal extends Omit<RefusalAnswer, 'field'> {
  rule: string
  trace: string
  field?: string | undefined
}

export type Decision = ({ plan: Plan; refuse?: undefined } | { refuse: RuleRefusal; plan?: undefined }) & {
  /**
   * Rules with an `nth` that matched. Their count goes up even on a refusal, because a rule for the third payment would
   * otherwise never see three. Mostly empty.
   */
  counted: readonly string[]
  callbackTrace?: string
}

export interface History {
  /** By state: how many of a party's last thousand payments are in it. */
  outcomes(party: string): ReadonlyMap<string, number>
  /** Major units in the payment's currency, paid to or by the party today. Failed payments do not count. */
  paidToday(party: string): number
  made(since: 'today' | DurationUs, party?: string): number
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
}

const examples = { party: 'request.phoneNumber', length: '"24h"' }

function past(
  name: string,
  takes: PastMethod['takes'],
  meaning: string,
  ask: Ask,
  gives: PastMethod['gives'] = 'int',
): [name: string, method: PastMethod] {
  const example = `${name}(${takes.map((one) => examples[one]).join(', ')})`
  return [name, { takes, gives, example, meaning, ask }]
}

const counting =
  (wanted: (status: string) => boolean): Ask =>
  (history, party = '') => {
    let count = 0
    for (const [status, n] of history.outcomes(party)) if (wanted(status)) count += n
    return BigInt(count)
  }
const madeIn: Ask = (history, length = '', party) => BigInt(history.made(parseDuration(length) ?? 0, party))

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
    'double',
  ),
  past('today', ['party'], 'How many were created since midnight.', (history, party) =>
    BigInt(history.made('today', party)),
  ),
  past('within', ['length', 'party'], 'How many were created in that duration.', madeIn),
  past('byOrganisationToday', [], 'How many the organisation created since midnight.', (history) =>
    BigInt(history.made('today')),
  ),
  past('byOrganisationWithin', ['length'], 'How many the organisation created in that duration.', madeIn),
])
