import { type Core, callbackAddress, type FaultyRequest, kindOf, type PaymentOrder } from './core.ts'
import { startOfDay } from './model/calendar.ts'
import { partyText } from './model/kind.ts'
import { toMajor } from './model/money.ts'
import type { DurationUs, InstantUs } from './model/time.ts'
import type { Facts, History, RequestFacts } from './scenarios/decide/payment-facts.ts'
import type { Spender } from './store/run-tables.ts'

/** Rate limits count each organisation by itself. */
export function windowOf(fault: string, { caller }: Pick<FaultyRequest, 'caller'>): string {
  return `rate:${fault}:${caller?.organisationId ?? 0}`
}

export function factsOfRequest(core: Core, input: FaultyRequest, nth: number): RequestFacts {
  const { operation, request, caller } = input
  const { counters, organisations } = core.store
  const organisation = caller ? organisations.byId(caller.organisationId) : undefined
  return {
    operation,
    request,
    organisation: organisation && {
      uuid: organisation.uuid,
      name: organisation.name,
      parent: organisation.parentId === null,
    },
    tokenIssuedAtUs: caller?.tokenIssuedAtUs,
    headers: core.scenario.headersRead.length > 0 ? headersRead(core, input.headers) : undefined,
    nowUs: core.clock.now(),
    zoneUs: core.scenario.zone.offsetUs,
    nth,
    matched: (fault) => counters.current(`turn:${fault}`),
    letThrough: (fault, number) => {
      const series = windowOf(fault, input)
      return counters.current(`${series}:window`) === number ? counters.current(`${series}:count`) : 0
    },
    chance: core.chance,
  }
}

function headersRead({ scenario }: Core, sent: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(scenario.headersRead.map((name) => [name, sent[name] ?? '']))
}

export function conditionFacts(core: Core, input: PaymentOrder, nth: number): Facts {
  const organisation = core.store.organisations.byId(input.organisationId)
  return {
    kind: input.kind,
    request: input.request,
    headers: core.scenario.headersRead.length > 0 ? headersRead(core, input.headers) : undefined,
    outcome: input.outcome,
    organisation: { uuid: organisation.uuid, name: organisation.name, parent: organisation.parentId === null },
    walletAvailable: toMajor(core.ledger.available(input.organisationId, input.currency)),
    nowUs: core.clock.now(),
    zoneUs: core.scenario.zone.offsetUs,
    history: historyOf(core, input),
    hasCallback: callbackAddress(core, { ...input, callbackUrl: input.callbackUrl ?? null }) !== null,
    nth,
    draw: core.store.counters.current('decision') + 1,
    matched: (rule) => core.store.counters.current(`turn:${rule}`),
    chance: core.chance,
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
