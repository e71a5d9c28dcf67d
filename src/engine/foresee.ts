/**
 * What would happen to a request that nobody has sent. The same questions are put as to a real one, in the same order,
 * and nothing is made or counted.
 */
import { Clock } from '../clock/clock.ts'
import type { JsonObject } from '../model/payment.ts'
import type { DurationUs, InstantUs } from '../model/time.ts'
import type { Meeting, RequestFacts } from '../scenarios/meet-fault.ts'
import type { Decision, Facts } from '../scenarios/scenario.ts'
import type { Command } from './commands.ts'
import type { Core } from './core.ts'
import { factsOfRequest } from './handlers/meet-fault.ts'
import { facts as factsOf } from './handlers/open-payment.ts'
import { type Met, meetRails } from './meet-rails.ts'

/** A request, and what is supposed about the world that it comes to; what is left out is as it is. */
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
  meeting: Meeting | null
  /** What the rules decide, and the rails make of that; null when it is turned away first, or makes no payment. */
  decision: (Met & Pick<Decision, 'callbackTrace'>) | null
}

export function foresee(core: Core, supposed: Supposed): Foreseen {
  const { counters } = core.store
  const view = supposedWorld(core, supposed)
  const nowUs = view.clock.now()
  const counted = new Map<string, number>()
  const count = (name: string) => counted.set(name, (counted.get(name) ?? 0) + 1)
  const soFar = (name: string) => counters.current(name) + (counted.get(name) ?? 0)
  let foreseen: Foreseen = { nowUs, facts: null, meeting: null, decision: null }

  for (let i = 1; i <= supposed.nth; i++) {
    foreseen = { nowUs, facts: null, meeting: null, decision: null }
    if (supposed.arrives) {
      foreseen.meeting = core.scenario.meet(arriving(view, supposed, supposed.arrives, soFar, counted))
      count(`request:${supposed.arrives.operation.id}`)
      for (const fault of foreseen.meeting.counted) count(`turn:${fault}`)
      for (const { fault } of foreseen.meeting.letThrough) count(`let through:${fault}`)
      if (foreseen.meeting.fate?.executed === false) continue
    }
    if (!supposed.payment) continue
    const { payment } = supposed
    foreseen.facts = deciding(view, supposed, payment, soFar)
    const decided = core.scenario.decide(foreseen.facts)
    const met = decided.refuse ? decided : meetRails(view, payment, decided.plan)
    foreseen.decision = { ...met, ...(decided.callbackTrace !== undefined && { callbackTrace: decided.callbackTrace }) }
    count('decision')
    for (const rule of decided.counted) count(`turn:${rule}`)
    // What is refused leaves its number to the next one.
    for (let made = met.refuse ? 0 : met.plan.twice ? 2 : 1; made > 0; made--) count(`payment:${payment.kind}`)
  }
  return foreseen
}

/** The world with another time, and with other payments of today. */
function supposedWorld(core: Core, { atUs, history }: Supposed): Core {
  const paidToday = history?.paidToday
  return {
    ...core,
    ...(atUs !== undefined && { clock: Clock.starting('frozen', 1, atUs, () => 0) }),
    ...(paidToday !== undefined && {
      usage: {
        of: (limit, ...rest) => (limit.per === 'party' ? Math.round(paidToday * 100) : core.usage.of(limit, ...rest)),
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
  counted: ReadonlyMap<string, number>,
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
): Facts {
  const facts = factsOf(core, payment, soFar(`payment:${payment.kind}`) + 1)
  const { succeeded = 0, failed = 0, pending = 0, paidToday = 0 } = history ?? {}
  const outcomes = new Map([
    ['SUCCESS', succeeded],
    ['FAILED', failed],
    ['PENDING', pending],
  ])
  return {
    ...facts,
    // Who asks with part of a request leaves the address out, as it does not matter.
    told: true,
    walletAvailable: wallet ?? facts.walletAvailable,
    organisation: { ...facts.organisation, ...organisation },
    draw: soFar('decision') + 1,
    matched: (rule) => soFar(`turn:${rule}`),
    ...(history && { history: { outcomes: () => outcomes, paidToday: () => paidToday } }),
  }
}
