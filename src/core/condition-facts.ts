import { type Core, callbackAddress, type FaultyRequest, kindOf, type PaymentOrder } from './core.ts'
import { startOfDay } from './model/calendar.ts'
import { partyText } from './model/kind.ts'
import { toMajor } from './model/money.ts'
import type { DurationUs, InstantUs } from './model/time.ts'
import type { CommonFacts, Facts, History, RequestFacts } from './scenarios/decisions/payment-facts.ts'
import type { Spender } from './store/run-tables.ts'

/** Rate limits count each organisation by itself. */
export function windowOf(fault: string, { caller }: Pick<FaultyRequest, 'caller'>): string {
  return `rate:${fault}:${caller?.organisationId ?? 0}`
}

export function factsOfRequest(core: Core, input: FaultyRequest, nth: number): RequestFacts {
  const { operation, caller } = input
  const { counters } = core.store
  return {
    ...commonFacts(core, input, caller?.organisationId, nth),
    operation,
    tokenIssuedAtUs: caller?.tokenIssuedAtUs,
    letThrough: (fault, number) => {
      const series = windowOf(fault, input)
      return counters.current(`${series}:window`) === number ? counters.current(`${series}:count`) : 0
    },
  }
}

export function conditionFacts(core: Core, input: PaymentOrder, nth: number): Facts {
  return {
    ...commonFacts(core, input, input.organisationId, nth),
    kind: input.kind,
    outcome: input.outcome,
    walletAvailable: toMajor(core.ledger.available(input.organisationId, input.currency)),
    history: historyOf(core, input),
    hasCallback: callbackAddress(core, { ...input, callbackUrl: input.callbackUrl ?? null }) !== null,
    draw: core.store.counters.current('decision') + 1,
  }
}

function commonFacts(
  { scenario, store, clock, chance }: Core,
  { request, headers = {} }: Pick<FaultyRequest, 'request' | 'headers'>,
  organisationId: number | undefined,
  nth: number,
): CommonFacts {
  const organisation = organisationId === undefined ? undefined : store.organisations.byId(organisationId)
  return {
    request,
    headers: Object.fromEntries(scenario.headersRead.map((name) => [name, headers[name] ?? ''])),
    organisation: organisation && {
      uuid: organisation.uuid,
      name: organisation.name,
      parent: organisation.parentId === null,
    },
    nowUs: clock.now(),
    zoneUs: scenario.zone.offsetUs,
    nth,
    matched: (name) => store.counters.current(`turn:${name}`),
    chance,
  }
}

function historyOf(core: Core, { kind, currency, organisationId }: PaymentOrder): History {
  const { activity } = core.store
  const about = kindOf(core, { kind })
  const made = (since: 'today' | DurationUs, by: Spender) =>
    activity.made(kind, since === 'today' ? beginningOfDay(core) : core.clock.now() - since, by)
  return {
    outcomes: (party) => activity.outcomes(kind, partyText(about, party)),
    paidToday: (party) =>
      toMajor(activity.spent([kind], currency, beginningOfDay(core), { party: partyText(about, party) })),
    made: (since, party) => made(since, party === undefined ? { organisationId } : { party: partyText(about, party) }),
  }
}

function beginningOfDay({ clock, scenario }: Core): InstantUs {
  return startOfDay(clock.now(), scenario.zone.offsetUs)
}
