/**
 * What would happen to a request that nobody has sent. The same questions are put as to a real one, in the same order,
 * and nothing is made or counted.
 */

import { Clock } from '../clock/clock.ts'
import type { Kind } from '../model/kind.ts'
import { toMajor } from '../model/money.ts'
import { partyOf, partyText } from '../model/party.ts'
import type { JsonObject, Plan } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import type { Decision, Facts } from '../scenarios/decide/facts.ts'
import type { FaultMatch } from '../scenarios/decide/match-fault.ts'
import type { RequestFacts } from '../scenarios/decide/request-context.ts'
import { type History, noHistory } from '../scenarios/language/payment-history.ts'
import { applyRails, type RailsDecision } from './apply-rails.ts'
import type { Command } from './commands.ts'
import { type Core, kindOf } from './core.ts'
import { factsOfRequest } from './handlers/apply-response-fault.ts'
import { facts as factsOf } from './handlers/open-payment.ts'

/**
 * A request, and what is supposed about the world when it comes. What is left out is as it is, and as the same requests
 * before it have left it.
 */
export interface Supposed {
  /** What it would make; null when it makes no payment. */
  payment: Omit<Command<'open-payment'>, 'command'> | null
  /** Where it would arrive; null when no request of a merchant makes such a payment. */
  arrives: { operation: RequestFacts['operation']; request: JsonObject; tokenless: boolean } | null
  organisationId: number
  /** It is the n-th of the same requests, each right behind the one before. */
  nth: number
  atUs?: InstantUs | undefined
  /** What the wallet can spend, in major units. */
  wallet?: number | undefined
  /** Of the party that the request names. */
  history?: SupposedHistory | undefined
  organisation?: Partial<Facts['organisation']> | undefined
  /** How old the token is that it brings. */
  tokenAgeUs?: DurationUs | undefined
}

/** Earlier payments of the same kind; those that are left out have not been. `paidToday` is in major units. */
export type SupposedHistory = Partial<Record<'succeeded' | 'failed' | 'pending' | 'paidToday', number | undefined>>

export interface Foreseen {
  nowUs: InstantUs
  /** What rules would look at. */
  facts: Facts | null
  /** Which fault of answers it meets; null where no request arrives. */
  match: FaultMatch | null
  /** What the rules decide, and the rails make of that; null when it is turned away first, or makes no payment. */
  decision: (RailsDecision & Pick<Decision, 'callbackTrace'>) | null
  /** The wallet does not hold what it needs, and that is looked at when it is made: it is answered 402. */
  short: { availableMinor: number; neededMinor: number } | null
}

export function foresee(core: Core, supposed: Supposed): Foreseen {
  const { counters } = core.store
  const before: Before = { counted: new Map(), made: 0, usedMinor: 0, feesMinor: 0, fromFloatMinor: 0 }
  const view = supposedWorld(core, supposed, before)
  const nowUs = view.clock.now()
  const count = (name: string) => before.counted.set(name, (before.counted.get(name) ?? 0) + 1)
  const soFar = (name: string) => counters.current(name) + (before.counted.get(name) ?? 0)
  let foreseen: Foreseen = { nowUs, facts: null, match: null, decision: null, short: null }

  for (let i = 1; i <= supposed.nth; i++) {
    foreseen = { nowUs, facts: null, match: null, decision: null, short: null }
    if (supposed.arrives) {
      foreseen.match = core.scenario.matchFault(arriving(view, supposed, supposed.arrives, soFar, before))
      count(`request:${supposed.arrives.operation.id}`)
      for (const fault of foreseen.match.counted) count(`turn:${fault}`)
      for (const { fault } of foreseen.match.letThrough) count(`let through:${fault}`)
      if (foreseen.match.fault?.executed === false) continue
    }
    if (!supposed.payment) continue
    const { payment } = supposed
    foreseen.facts = deciding(view, supposed, payment, soFar, before)
    const decided = core.scenario.decide(foreseen.facts)
    const met = decided.refuse ? decided : applyRails(view, payment, decided.plan, before)
    foreseen.decision = { ...met, ...(decided.callbackTrace !== undefined && { callbackTrace: decided.callbackTrace }) }
    foreseen.short = met.plan ? shortOf(view, payment, met.plan, foreseen.facts) : null
    // What the wallet refuses is not counted at all, as if it had not been asked for.
    if (foreseen.short) continue
    count('decision')
    for (const rule of decided.counted) count(`turn:${rule}`)
    if (met.plan) make(payment, met.plan, before, count)
  }
  return foreseen
}

/** What the same requests did that came before. */
interface Before {
  /** How often each series was counted. */
  counted: Map<string, number>
  /** Payments that were made, the amounts that they carry, what they cost, and what they take from a float. */
  made: number
  usedMinor: number
  feesMinor: number
  fromFloatMinor: number
}

function make(
  { kind, amountMinor }: NonNullable<Supposed['payment']>,
  plan: Plan,
  before: Before,
  count: (name: string) => void,
): void {
  for (let times = plan.twice ? 2 : 1; times > 0; times--) {
    count(`payment:${kind}`)
    before.made++
    before.usedMinor += amountMinor
    before.feesMinor += plan.feeMinor ?? 0
    if (plan.float !== undefined && !plan.untilFunded) before.fromFloatMinor += amountMinor
  }
}

/** The wallet of who asks pays for it, and does not hold enough. */
function shortOf(
  core: Core,
  { kind, amountMinor, request }: NonNullable<Supposed['payment']>,
  { feeMinor = 0 }: Plan,
  { walletAvailable, organisation }: Facts,
): Foreseen['short'] {
  const another = (request['fromOrganisationId'] ?? organisation.uuid) !== organisation.uuid
  if (
    kindOf(core, { kind }).direction === 'in' ||
    another ||
    core.scenario.assumptions['funds-check'] !== 'at-creation'
  )
    return null
  const availableMinor = Math.round(walletAvailable * 100)
  const neededMinor = amountMinor + feeMinor
  return amountMinor > 0 && neededMinor > availableMinor ? { availableMinor, neededMinor } : null
}

/** The world with another time, and with other payments of today. */
function supposedWorld(core: Core, { atUs, history }: Supposed, before: Before): Core {
  const paidToday = history?.paidToday
  return {
    ...core,
    ...(atUs !== undefined && { clock: Clock.starting('frozen', 1, atUs, () => 0) }),
    ...(paidToday !== undefined && {
      usage: {
        // Given is what was paid by the request itself, so those before it are in.
        of: (limit, ...rest) =>
          limit.per === 'party' ? Math.round(paidToday * 100) - before.usedMinor : core.usage.of(limit, ...rest),
        follow: () => {},
      },
    }),
  }
}

function arriving(
  core: Core,
  { organisationId, organisation, tokenAgeUs = 0 }: Supposed,
  { operation, request, tokenless }: NonNullable<Supposed['arrives']>,
  soFar: (name: string) => number,
  { counted }: Before,
): RequestFacts {
  const caller = tokenless ? null : { organisationId, tokenIssuedAtUs: core.clock.now() - tokenAgeUs }
  const facts = factsOfRequest(core, { operation, request, caller }, soFar(`request:${operation.id}`) + 1)
  return {
    ...facts,
    organisation: facts.organisation && { ...facts.organisation, ...organisation },
    matched: (fault) => soFar(`turn:${fault}`),
    letThrough: (fault, window) => facts.letThrough(fault, window) + (counted.get(`let through:${fault}`) ?? 0),
  }
}

function deciding(
  core: Core,
  { wallet, history, organisation }: Supposed,
  payment: NonNullable<Supposed['payment']>,
  soFar: (name: string) => number,
  before: Before,
): Facts {
  const facts = factsOf(core, payment, soFar(`payment:${payment.kind}`) + 1)
  const spent = kindOf(core, payment).direction === 'in' ? 0 : toMajor(before.usedMinor + before.feesMinor)
  return {
    ...facts,
    // Who asks with part of a request leaves the address out, as it does not matter.
    told: true,
    walletAvailable: wallet ?? Math.max(0, facts.walletAvailable - spent),
    organisation: { ...facts.organisation, ...organisation },
    draw: soFar('decision') + 1,
    matched: (rule) => soFar(`turn:${rule}`),
    history: history
      ? supposedHistory(history)
      : historyWith(kindOf(core, payment), facts.history ?? noHistory, payment, before),
  }
}

function supposedHistory({ succeeded = 0, failed = 0, pending = 0, paidToday = 0 }: SupposedHistory): History {
  const outcomes = new Map([
    ['SUCCESS', succeeded],
    ['FAILED', failed],
    ['PENDING', pending],
  ])
  return { outcomes: () => outcomes, paidToday: () => paidToday }
}

/** What was before, and then the same requests, which are still under way. */
function historyWith(
  kind: Kind,
  { outcomes, paidToday }: History,
  { request }: NonNullable<Supposed['payment']>,
  { made, usedMinor }: Before,
): History {
  const own = (party: string) => partyText(kind, party) === partyOf(kind, request)
  return {
    outcomes: (party) => {
      const known = outcomes(party)
      return own(party) ? new Map([...known, ['PENDING', (known.get('PENDING') ?? 0) + made]]) : known
    },
    paidToday: (party) => paidToday(party) + (own(party) ? toMajor(usedMinor) : 0),
  }
}
