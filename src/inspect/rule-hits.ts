import * as z from 'zod'
import { conditionFacts, factsOfRequest } from '../core/condition-facts.ts'
import { Context, contextOf } from '../core/contexts.ts'
import { type Core, callbackAddress, kindOf } from '../core/core.ts'
import { compileCondition, compileIn } from '../core/expressions.ts'
import { loadedLibraries } from '../core/loaded-libraries.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import { moneyIn, type Service, type ServiceOperation } from '../core/model/kind.ts'
import { moneyText } from '../core/model/money.ts'
import { must } from '../core/model/must.ts'
import type { JsonObject, Payment, PaymentKind } from '../core/model/payment.ts'
import {
  type FaultSummary,
  outcomeAt,
  type RailSort,
  type RailSummary,
  type RuleSummary,
  railSorts,
} from '../core/model/rule-summaries.ts'
import { decoded } from '../core/model/text.ts'
import { type InstantUs, isoInstant } from '../core/model/time.ts'
import { conditionsOn, faultTarget, watches } from '../core/response-faults.ts'
import type { World } from '../core/world.ts'
import { type Closeness, closenessTo } from './predicate.ts'
import { jsonObjectShape } from './present.ts'
import { whyRule } from './trace-text.ts'
import { type AnswerOf, type Reader, shape, view } from './view.ts'

type Summary = Pick<RuleSummary | FaultSummary | RailSummary, 'name' | 'file' | 'line' | 'inherited'>

const place = { file: z.string(), line: z.number() }
export const written = { ...place, inherited: z.boolean().describe('It comes from a scenario that this one extends.') }

const hitView = view(null, (read: Reader<RuleSummary | FaultSummary, World>) => ({
  hits: read(z.number(), ({ name }, world) => hitsOf(world, name)),
  on: z.array(z.string()),
  when: read(z.string().nullable(), ({ when }) => when ?? null),
  nth: read(
    z.string().nullable().describe('`the 3rd`: the only matches that it decides; null where it decides all.'),
    ({ nth }) => nth ?? null,
  ),
  ...written,
}))

export function hitsOf({ core }: World, name: string): number {
  return core.store.counters.current(`rule:${name}`)
}

export const hitsShape = shape('Hits', () =>
  z.object({
    scenario: z.string(),
    rules: z.array(hitView.schema().extend({ rule: z.string() })),
    rails: z.array(
      z.object({ sort: z.enum(railSorts), on: z.array(z.string()), ...written, rail: z.string(), hits: z.number() }),
    ),
    faults: z.array(hitView.schema().extend({ fault: z.string() })),
    neverFired: z
      .array(
        z.object({
          nearest: nearestRuleShape().nullable(),
          why: z.string(),
          rule: z.string(),
          what: z.enum(['rule', 'fault', 'callback fault', ...railSorts]),
          ...place,
        }),
      )
      .describe("The scenario's own rules, faults and entries of its rails that never did, and what came nearest."),
  }),
)

const nearestRuleShape = shape('Nearest', () =>
  z.object({
    payment: z.string().optional(),
    requestId: z.string().optional(),
    kind: z.string().optional(),
    operation: z.string().describe('`POST /api/v1/get-token`, where a request is shown for itself.').optional(),
    at: z.string(),
    request: jsonObjectShape(),
    decidedBy: z.string().nullable().describe('The rule or fault that had it; null when none did.'),
    held: z.array(z.string()).describe('Parts of the condition that held, and that did not.'),
    missed: z.array(z.string()),
  }),
)

type ShownRule = AnswerOf<typeof nearestRuleShape>

export function hits(world: World): AnswerOf<typeof hitsShape> {
  const { scenario } = world.core
  // Inherited rules may be used or not; a scenario's own rules and faults are there to fire.
  const idle = <T extends Summary>(list: readonly T[]) =>
    list.filter(({ name, inherited }) => !inherited && hitsOf(world, name) === 0)
  return {
    scenario: scenario.name,
    rules: scenario.rules.map((rule) => ({ rule: rule.name, ...hitView(rule, world) })),
    rails: scenario.railEntries.map(({ name, ...entry }) => ({ rail: name, hits: hitsOf(world, name), ...entry })),
    faults: [...scenario.faults, ...scenario.callbackFaults].map((fault) => ({
      fault: fault.name,
      ...hitView(fault, world),
    })),
    neverFired: [
      ...withNearest(idle(scenario.rules), 'rule', (list) => nearestToRules(world, list)),
      ...withNearest(idle(scenario.faults), 'fault', (list) => nearestToFaults(world, list)),
      ...withNearest(idle(scenario.callbackFaults), 'callback fault', (list) => nearestToCallbackFaults(world, list)),
      ...railSorts.flatMap((sort) =>
        withNearest(idle(scenario.railEntries.filter((one) => one.sort === sort)), sort, (list) =>
          nearestToRails(world.core, list),
        ),
      ),
    ],
  }
}

function withNearest<T extends Summary, What extends string>(
  idle: readonly T[],
  what: What,
  find: (idle: readonly T[]) => Nearness[],
) {
  const found = find(idle)
  return idle.map(({ name, file, line }, i) => ({ rule: name, what, file, line, ...must(found[i]) }))
}

// Explains rules and faults that never fired, by the nearest of the newest payments and requests.

const COMPARED = 1_000
/** With more idle rules than this, the first ones explain enough. */
const EXPLAINED = 100
const COMPARISONS = 50_000
interface Nearness {
  nearest: ShownRule | null
  why: string
}

interface Candidate {
  atUs: InstantUs
  shown: Omit<ShownRule, 'at' | 'held' | 'missed'>
}

function nearestTo<Idle, Near extends Candidate>(
  idle: readonly Idle[],
  candidates: readonly Near[],
  judge: {
    none: (idle: Idle) => string
    concerns: (idle: Idle, near: Near) => boolean
    closeness: (idle: Idle) => (near: Near) => Closeness
    why: (idle: Idle, near: Near) => string
  },
): Nearness[] {
  const newestFirst = candidates.toSorted((a, b) => b.atUs - a.atUs)
  const compared = Math.max(10, Math.min(COMPARED, Math.floor(COMPARISONS / Math.max(1, idle.length))))
  return idle.map((one, i) => {
    if (i >= EXPLAINED) return { nearest: null, why: 'not looked for, there are too many' }
    const closeness = judge.closeness(one)
    let best: { near: Near; close: Closeness } | undefined
    let left = compared
    for (const near of newestFirst) {
      if (!judge.concerns(one, near)) continue
      if (left-- === 0) break
      const close = closeness(near)
      if (best === undefined || close.held.length > best.close.held.length) best = { near, close }
      if (close.missed.length === 0) break
    }
    if (!best) return { nearest: null, why: judge.none(one) }
    const { near, close } = best
    const { missed } = close
    const isFalse = `${missed.join(' and ')} ${missed.length === 1 ? 'is' : 'are'} false`
    return {
      nearest: { ...near.shown, at: isoInstant(near.atUs), ...close },
      why: missed.length > 0 ? isFalse : judge.why(one, near),
    }
  })
}

interface Decided extends Candidate {
  kind: PaymentKind
  context: Context
  payment?: Payment
}

function nearestToRules(world: World, idle: readonly RuleSummary[]): Nearness[] {
  const { scenario, store, service } = world.core
  if (idle.length === 0) return []
  const kinds = [...new Set(idle.flatMap(({ on }) => on))]
  const refused = newestRequests(world, 'POST')
    .flatMap((entry) => ofRefusal(world, entry) ?? [])
    .filter(({ kind }) => kinds.includes(kind))
  const made = newestPayments(world.core, kinds).map((payment) => ofPayment(world, payment))
  return nearestTo<RuleSummary, Decided>(idle, [...made, ...refused], {
    none: ({ on }) => `no ${on.join(' or ')} request came to the rules`,
    ...ofKinds(service),
    why: (rule, { kind, payment, shown }) => {
      const before = `the rule "${shown.decidedBy}" decided before it was asked`
      const same = payment && (payment.plan.edition ?? 0) === store.counters.current('edition')
      const asked = scenario.rules.filter(({ on }) => on.includes(kind)).findIndex(({ name }) => name === rule.name)
      if (same && asked >= 0) {
        const outcome = outcomeAt(payment.plan.trace, asked)
        if (outcome === 'not asked') return before
        if (outcome === 'condition false') return `${rule.when} was false then, and would be true now`
        return whyRule(rule, outcome)
      }
      const own = ownReasons(rule, 'decides')
      return own.length > 0 ? itHeld([...own, before], before) : before
    },
  })
}

function ofKinds({ kinds }: Service) {
  return {
    concerns: ({ on }: RuleSummary | FaultSummary, { kind }: Decided) => on.includes(kind),
    closeness: ({ when }: RuleSummary | FaultSummary) => {
      const compile = (text: string, kind: PaymentKind) =>
        compileCondition(text, kinds.of(kind), kinds, loadedLibraries).condition
      const closeness = closenessTo(when, compile)
      return ({ kind, context }: Decided) => closeness(kind, context)
    },
  }
}

function itHeld(reasons: readonly (string | false | undefined)[], otherwise: string): string {
  const told = reasons.filter(Boolean)
  return told.length > 0 ? `its condition held, and ${told.join(', or ')}` : otherwise
}

function nearestToFaults(world: World, idle: readonly FaultSummary[]): Nearness[] {
  if (idle.length === 0) return []
  const { operations } = world.core.service
  const faults = world.core.scenario.faults.map(({ name }) => name)
  const seen = new Map<string, number>()
  const requests = newestRequests(world).flatMap((entry) => {
    const operation = operations.find(({ id }) => id === entry.operation)
    if (!operation) return []
    const back = seen.get(operation.id) ?? 0
    seen.set(operation.id, back + 1)
    return [ofRequest(world, entry, operation, back)]
  })
  return nearestTo(idle, requests, {
    none: (fault) => `no request of ${fault.on.join(' or ')} came`,
    concerns: (fault, { operation }) => watches(fault, operation),
    closeness: (fault) => {
      const environment = conditionsOn(fault.on, operations, loadedLibraries)
      const closeness = closenessTo(fault.when, (text) => compileIn(text, environment).condition)
      return ({ seen }) => closeness(environment, new Context(seen, environment.variables))
    },
    why: (fault, { shown }) => {
      const before = shown.decidedBy !== null && faults.includes(shown.decidedBy)
      const reasons = [
        ...ownReasons(fault, 'meets'),
        fault.passes && `it let the request through (${fault.then})`,
        before && `the fault "${shown.decidedBy}" was met before it was asked`,
      ]
      return itHeld(reasons, 'its condition holds; the request came before it was armed')
    },
  })
}

function nearestToCallbackFaults(world: World, idle: readonly FaultSummary[]): Nearness[] {
  if (idle.length === 0) return []
  const { core } = world
  const faults = core.scenario.callbackFaults
  const kinds = [...new Set(idle.flatMap(({ on }) => on))]
  const told = newestPayments(core, kinds)
    .filter((payment) => callbackAddress(core, payment) !== null)
    .map((payment) => ofPayment(world, payment))
  return nearestTo<FaultSummary, Decided>(idle, told, {
    none: ({ on }) => `nobody was to be told of a ${on.join(' or ')} payment`,
    ...ofKinds(core.service),
    why: (fault, { payment, shown }) => {
      const by = payment?.plan.callback?.by
      const reasons = [
        ...ownReasons(fault, 'meets'),
        by !== undefined && by === shown.decidedBy && `the rule "${by}" says itself what becomes of the callback`,
        faults.some(({ name }) => name === by) && `the fault "${by}" was met before it was asked`,
        fault.passes && payment?.plan.afterUs === null && 'the payment does not end by itself',
      ]
      return itHeld(reasons, 'its condition holds; the payment was made before it was armed')
    },
  })
}

function ownReasons({ chance, nth }: RuleSummary, does: 'decides' | 'meets'): string[] {
  return [
    ...(chance !== undefined && chance < 1 ? [`its chance of ${chance} was not drawn`] : []),
    ...(nth !== undefined ? [`it ${does} only ${nth} of its matches`] : []),
  ]
}

function newestPayments({ store }: Core, kinds: readonly PaymentKind[]): Payment[] {
  return store.payments.page({ kinds }, { limit: COMPARED, newestFirst: true })
}

function newestRequests(world: World, method?: string): JournalEntry[] {
  return world.core.store.journal.page({ ...(method && { method }), limit: COMPARED, newestFirst: true })
}

function ofPayment(world: World, payment: Payment): Decided {
  const { kind, request, createdAtUs, plan, uuid, organisationId, currency, amountMinor } = payment
  const input = { kind, organisationId, currency, amountMinor, request }
  const about = { ...conditionFacts(world.core, input, payment.id), nowUs: createdAtUs }
  const shown = { payment: uuid, kind, request, decidedBy: plan.rule }
  return {
    kind,
    atUs: createdAtUs,
    payment,
    shown,
    context: contextOf(about, world.core.scenario.directory, world.core.service.kinds),
  }
}

function ofRefusal(world: World, entry: JournalEntry): Decided | undefined {
  const { scenario, service, store } = world.core
  const kind = service.operations.find(({ id }) => id === entry.operation)?.opens
  if (!kind || entry.rule === null || entry.status < 400 || entry.organisationId === null) return undefined
  // A fault refused it before any rule was asked.
  if (entry.paymentSeq !== null || scenario.faults.some(({ name }) => name === entry.rule)) return undefined
  const request = bodyOf(entry)
  if (!request) return undefined
  const { currency } = moneyIn(service.kinds.of(kind), request)
  const { organisationId, atUs, rule, requestId } = entry
  const nth = store.counters.current(`payment:${kind}`) + 1
  const about = {
    ...conditionFacts(world.core, { kind, organisationId, currency, amountMinor: 0, request }, nth),
    nowUs: atUs,
  }
  return {
    kind,
    atUs,
    shown: { requestId, kind, request, decidedBy: rule },
    context: contextOf(about, scenario.directory, service.kinds),
  }
}

function ofRequest({ core }: World, entry: JournalEntry, operation: ServiceOperation, back: number) {
  const { requestId, organisationId, atUs, rule } = entry
  const request: JsonObject = { ...bodyOf(entry), ...queryOf(entry), ...namesIn(operation.path, entry.path) }
  const nth = Math.max(1, core.store.counters.current(`request:${operation.id}`) - back)
  const caller = organisationId === null ? null : { organisationId, tokenIssuedAtUs: atUs }
  const seen = { ...factsOfRequest(core, { operation, request, caller }, nth), nowUs: atUs }
  return { operation, atUs, seen, shown: { requestId, operation: faultTarget(operation), request, decidedBy: rule } }
}

function bodyOf({ requestBody }: JournalEntry): JsonObject | undefined {
  try {
    const body = JSON.parse(requestBody ?? '')
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}

function queryOf({ path }: JournalEntry): JsonObject {
  return Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''))
}

function namesIn(template: string, path: string): JsonObject {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]*)')}`, 'i')
  const names = Object.entries(pattern.exec(path)?.groups ?? {})
  return Object.fromEntries(names.map(([name, value]) => [name, decoded(value)]))
}

/** The largest payment, because it came nearest to a limit. */
function nearestToRails(core: Core, idle: readonly RailSummary[]): Nearness[] {
  return idle.map(({ sort, on }) => {
    const [largest] = newestPayments(core, on).sort((a, b) => b.amountMinor - a.amountMinor)
    if (!largest) return { nearest: null, why: `no ${on.join(' or ')} payment came to the rails` }
    const { uuid, kind, request, createdAtUs, plan } = largest
    return {
      nearest: {
        payment: uuid,
        kind,
        at: isoInstant(createdAtUs),
        request,
        decidedBy: plan.rule,
        held: [],
        missed: [],
      },
      why: reasons[sort](moneyText(largest.amountMinor, largest.currency), kindOf(core, largest).phrase),
    }
  })
}

const reasons: Record<RailSort, (amount: string, phrase: string) => string> = {
  limit: (amount, phrase) => `nothing broke it: the largest was ${phrase} of ${amount}`,
  fee: (amount, phrase) => `it charged nothing: the largest was ${phrase} of ${amount}`,
  float: (amount, phrase) => `it always had enough: the largest was ${phrase} of ${amount}`,
  'cut-off': () => 'all payments came while it was open',
  maintenance: () => 'no payment came while it was under maintenance',
}
