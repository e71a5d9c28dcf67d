import * as z from 'zod'
import { conditionFacts, factsOfRequest } from '../core/condition-facts.ts'
import { type Core, callbackAddress } from '../core/core.ts'
import { compileCondition, compileIn } from '../core/expressions.ts'
import { loadedLibraries } from '../core/loaded-libraries.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { ServiceOperation } from '../core/model/kind.ts'
import { isRecord } from '../core/model/must.ts'
import type { JsonObject, Payment, PaymentKind } from '../core/model/payment.ts'
import { type FaultSummary, type RailSummary, type RuleSummary, railSorts } from '../core/model/rule-summaries.ts'
import { decoded } from '../core/model/text.ts'
import { type InstantUs, isoInstant } from '../core/model/time.ts'
import { conditionsOn, faultTarget, watches } from '../core/response-faults.ts'
import { Context, contextOf } from '../core/vocabulary.ts'
import type { World } from '../core/world.ts'
import { type Closeness, closenessTo } from './predicate.ts'
import { jsonObjectShape } from './present.ts'
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

function hitsOf({ core }: World, name: string): number {
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
      ...neverFired(idle(scenario.rules), 'rule', (list) => byPayments(world.core, list, ({ plan }) => plan.rule)),
      ...neverFired(idle(scenario.faults), 'fault', () => byRequests(world)),
      ...neverFired(idle(scenario.callbackFaults), 'callback fault', (list) => {
        const { newestFirst, ...compared } = byPayments(world.core, list, ({ plan }) => plan.callback?.by ?? null)
        return { ...compared, newestFirst: newestFirst.filter(({ isTold }) => isTold) }
      }),
      ...idle(scenario.railEntries).map(({ name: rule, sort: what, on, file, line }) => {
        return { rule, what, file, line, nearest: null, why: `no ${on.join(' or ')} payment met it` }
      }),
    ],
  }
}

// Explains rules and faults that never fired, by the nearest of the newest payments and requests.

const COMPARED = 1_000
/** With more idle rules than this, the first ones explain enough. */
const EXPLAINED = 100
/** Bounds the time of an answer. */
const COMPARISONS = 50_000

/** Something that a rule or a fault could have decided. */
interface Candidate {
  atUs: InstantUs
  shown: Omit<ShownRule, 'at' | 'held' | 'missed'>
  /** The rule or the fault that had it. */
  by: string | null
}

interface Compared<Near extends Candidate> {
  newestFirst: readonly Near[]
  concerns(idle: FaultSummary | RuleSummary, near: Near): boolean
  closeness(idle: FaultSummary | RuleSummary): (near: Near) => Closeness
}

function neverFired<T extends RuleSummary, What extends string, Near extends Candidate>(
  idle: readonly T[],
  what: What,
  compare: (idle: readonly T[]) => Compared<Near>,
) {
  if (idle.length === 0) return []
  const compared = compare(idle)
  const most = Math.max(10, Math.min(COMPARED, Math.floor(COMPARISONS / idle.length)))
  return idle.map((one, i) => {
    const { name: rule, file, line } = one
    const found =
      i < EXPLAINED ? nearestTo(one, compared, most) : { nearest: null, why: 'not looked for, there are too many' }
    return { rule, what, file, line, ...found }
  })
}

function nearestTo<Near extends Candidate>(
  idle: RuleSummary,
  { newestFirst, concerns, closeness }: Compared<Near>,
  most: number,
): { nearest: ShownRule | null; why: string } {
  const closenessOf = closeness(idle)
  let best: { near: Near; close: Closeness } | undefined
  let left = most
  for (const near of newestFirst) {
    if (!concerns(idle, near)) continue
    if (left-- === 0) break
    const close = closenessOf(near)
    if (best === undefined || close.held.length > best.close.held.length) best = { near, close }
    if (close.missed.length === 0) break
  }
  if (!best) return { nearest: null, why: `nothing came of ${idle.on.join(' or ')}` }
  const { near, close } = best
  const { missed } = close
  const isFalse = `${missed.join(' and ')} ${missed.length === 1 ? 'is' : 'are'} false`
  return {
    nearest: { ...near.shown, at: isoInstant(near.atUs), ...close },
    why: missed.length > 0 ? isFalse : whyNotThen(idle, near.by),
  }
}

function whyNotThen({ chance, nth, then, ...fault }: RuleSummary | FaultSummary, by: string | null): string {
  const reasons = [
    chance !== undefined && chance < 1 && `its chance of ${chance} was not drawn`,
    nth !== undefined && `it takes only ${nth} of its matches`,
    'passes' in fault && fault.passes && `it let this one pass (${then})`,
    by !== null && `"${by}" decided`,
  ].filter(Boolean)
  return `its condition holds now; then ${reasons.length > 0 ? reasons.join(', or ') : 'it did not'}`
}

function byPayments(
  core: Core,
  idle: readonly RuleSummary[],
  by: (payment: Payment) => string | null,
): Compared<Candidate & { kind: PaymentKind; context: Context; isTold: boolean }> {
  const { scenario, service, store } = core
  const { kinds } = service
  const on = [...new Set(idle.flatMap((one) => one.on))]
  const newestFirst = store.payments.page({ kinds: on }, { limit: COMPARED, newestFirst: true }).map((payment) => {
    const { kind, request, createdAtUs, uuid, organisationId, currency, amountMinor } = payment
    const input = { kind, organisationId, currency, amountMinor, request }
    const about = { ...conditionFacts(core, input, payment.id), nowUs: createdAtUs }
    const shown = { payment: uuid, kind, request, decidedBy: payment.plan.rule }
    const context = contextOf(about, scenario.directory, kinds)
    const isTold = callbackAddress(core, payment) !== null
    return { kind, atUs: createdAtUs, by: by(payment), shown, context, isTold }
  })
  return {
    newestFirst,
    concerns: (one, { kind }) => one.on.includes(kind),
    closeness: ({ when }) => {
      const compile = (text: string, kind: PaymentKind) =>
        compileCondition(text, kinds.of(kind), kinds, loadedLibraries).condition
      const closeness = closenessTo(when, compile)
      return ({ kind, context }) => closeness(kind, context)
    },
  }
}

function byRequests({ core }: World): Compared<ReturnType<typeof ofRequest>> {
  const { operations } = core.service
  const seen = new Map<string, number>()
  const requests = core.store.journal.page({ limit: COMPARED, newestFirst: true }).flatMap((entry) => {
    const operation = operations.find(({ id }) => id === entry.operation)
    if (!operation) return []
    const back = seen.get(operation.id) ?? 0
    seen.set(operation.id, back + 1)
    return [ofRequest(core, entry, operation, back)]
  })
  return {
    newestFirst: requests,
    concerns: (fault, { operation }) => watches(fault, operation),
    closeness: ({ on, when }) => {
      const environment = conditionsOn(on, operations, loadedLibraries)
      const closeness = closenessTo(when, (text) => compileIn(text, environment).condition)
      return ({ seen }) => closeness(environment, new Context(seen, environment.variables))
    },
  }
}

function ofRequest(core: Core, entry: JournalEntry, operation: ServiceOperation, back: number) {
  const { requestId, organisationId, atUs, rule } = entry
  const body = asJson(entry.requestBody)
  const named = { ...queryOf(entry), ...namesIn(operation.path, entry.path) }
  const request: JsonObject = { ...(isRecord(body) && (body as JsonObject)), ...named }
  const nth = Math.max(1, core.store.counters.current(`request:${operation.id}`) - back)
  const caller = organisationId === null ? null : { organisationId, tokenIssuedAtUs: atUs }
  const seen = { ...factsOfRequest(core, { operation, request, caller }, nth), nowUs: atUs }
  const shown = { requestId, operation: faultTarget(operation), request, decidedBy: rule }
  const isFault = core.scenario.faults.some(({ name }) => name === rule)
  return { operation, atUs, seen, shown, by: isFault ? rule : null }
}

function queryOf({ path }: JournalEntry): JsonObject {
  return Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''))
}

function namesIn(template: string, path: string): JsonObject {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]*)')}`, 'i')
  const names = Object.entries(pattern.exec(path)?.groups ?? {})
  return Object.fromEntries(names.map(([name, value]) => [name, decoded(value)]))
}
