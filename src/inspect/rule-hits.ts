import * as z from 'zod'
import { type Core, callbackAddress, conditionFacts, factsOfRequest } from '../core/core.ts'
import { compileIn, environmentOfKind } from '../core/expressions.ts'
import { loadedLibraries } from '../core/loaded-libraries.ts'
import { entryKinds, type JournalEntry } from '../core/model/journal.ts'
import { asJson } from '../core/model/json.ts'
import type { ServiceOperation } from '../core/model/kind.ts'
import { isRecord } from '../core/model/must.ts'
import type { JsonObject, Payment, PaymentKind } from '../core/model/payment.ts'
import type { FaultSummary, RailSummary, RuleSummary } from '../core/model/rule-summaries.ts'
import { decoded } from '../core/model/text.ts'
import { type InstantUs, isoInstant } from '../core/model/time.ts'
import { conditionsOn, faultTarget, watches } from '../core/response-faults.ts'
import { contextOf, contextWith } from '../core/vocabulary.ts'
import type { World } from '../core/world.ts'
import { type Closeness, closenessTo, nearestOf } from './predicate.ts'
import { jsonObjectShape } from './present.ts'
import { type AnswerOf, shape } from './view.ts'

export const written = {
  file: z.string(),
  line: z.number(),
  inherited: z.boolean().describe('It comes from a scenario that this one extends.'),
}

export const hitsShape = shape('Hits', () =>
  z.object({
    scenario: z.string(),
    hits: z.array(
      z.object({
        what: z.enum(entryKinds),
        name: z.string(),
        hits: z.number(),
        on: z.array(z.string()),
        when: z.string().nullable(),
        nth: z.string().nullable().describe('`the 3rd`: the only matches that it decides; null where it decides all.'),
        ...written,
        why: z.string().nullable().describe('Why one of its own never did anything; else null.'),
        nearest: nearestRuleShape().nullable().describe('The payment or request that came nearest to an idle one.'),
      }),
    ),
  }),
)
export type Hits = AnswerOf<typeof hitsShape>

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

type Entry = Omit<RailSummary, 'sort'> & Partial<Pick<RuleSummary, 'when' | 'nth'>>

interface Reason {
  why: string
  nearest: ShownRule | null
}

/** Rules, faults and entries of the rails, with what came nearest to those that never did anything. */
export function hits({ core }: World): Hits {
  const { rules, faults, callbackFaults, railEntries, name: scenario } = core.scenario
  const times = (name: string) => core.store.counters.current(`rule:${name}`)
  // Inherited ones may be used or not; a scenario's own are there to fire.
  const idle = <T extends Entry>(list: readonly T[]) =>
    list.filter(({ name, inherited }) => !inherited && times(name) === 0)
  const reasons = new Map<Entry, Reason>([
    ...whyIdle(idle(rules), (list) => byPayments(core, list, ({ plan }) => plan.rule)),
    ...whyIdle(idle(faults), () => byRequests(core)),
    ...whyIdle(idle(callbackFaults), (list) => {
      const { newestFirst, ...compared } = byPayments(core, list, ({ plan }) => plan.callback?.by ?? null)
      return { ...compared, newestFirst: newestFirst.filter(({ isTold }) => isTold) }
    }),
    ...idle(railEntries).map(
      (one) => [one, { nearest: null, why: `no ${one.on.join(' or ')} payment met it` }] as const,
    ),
  ])
  const counted = (what: Hits['hits'][number]['what'], entry: Entry) => {
    const { name, on, file, line, inherited, when = null, nth = null } = entry
    const { why = null, nearest = null } = reasons.get(entry) ?? {}
    return { what, name, hits: times(name), on, when, nth, file, line, inherited, why, nearest }
  }
  return {
    scenario,
    hits: [
      ...rules.map((one) => counted('rule', one)),
      ...faults.map((one) => counted('fault', one)),
      ...callbackFaults.map((one) => counted('callback-fault', one)),
      ...railEntries.map((one) => counted(one.sort, one)),
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

function whyIdle<T extends RuleSummary, Near extends Candidate>(
  idle: readonly T[],
  compare: (idle: readonly T[]) => Compared<Near>,
): [T, Reason][] {
  if (idle.length === 0) return []
  const compared = compare(idle)
  const most = Math.max(10, Math.min(COMPARED, Math.floor(COMPARISONS / idle.length)))
  return idle.map((one, i) => [
    one,
    i < EXPLAINED ? nearestTo(one, compared, most) : { nearest: null, why: 'not looked for, there are too many' },
  ])
}

function nearestTo<Near extends Candidate>(
  idle: RuleSummary,
  { newestFirst, concerns, closeness }: Compared<Near>,
  most: number,
): Reason {
  const compared = newestFirst.filter((near) => concerns(idle, near)).slice(0, most)
  const best = nearestOf(compared, closeness(idle))
  if (!best) return { nearest: null, why: `no request came for ${idle.on.join(' or ')}` }
  const { thing: near, close } = best
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
): Compared<Candidate & { kind: PaymentKind; context: object; isTold: boolean }> {
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
        compileIn(text, environmentOfKind(kinds.of(kind), kinds, loadedLibraries)).condition
      const closeness = closenessTo(when, compile)
      return ({ kind, context }) => closeness(kind, context)
    },
  }
}

function byRequests(core: Core): Compared<ReturnType<typeof ofRequest>> {
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
      return ({ seen }) => closeness(environment, contextWith(seen, environment.variables))
    },
  }
}

function ofRequest(core: Core, entry: JournalEntry, operation: ServiceOperation, back: number) {
  const { requestId, organisationId, atUs, rule } = entry
  const body = asJson(entry.requestBody)
  const query = Object.fromEntries(new URLSearchParams(entry.path.split('?')[1] ?? ''))
  const named = { ...query, ...namesIn(operation.path, entry.path) }
  const request: JsonObject = { ...(isRecord(body) && (body as JsonObject)), ...named }
  const nth = Math.max(1, core.store.counters.current(`request:${operation.id}`) - back)
  const caller = organisationId === null ? null : { organisationId, tokenIssuedAtUs: atUs }
  const seen = { ...factsOfRequest(core, { operation, request, caller }, nth), nowUs: atUs }
  const shown = { requestId, operation: faultTarget(operation), request, decidedBy: rule }
  const isFault = core.scenario.faults.some(({ name }) => name === rule)
  return { operation, atUs, seen, shown, by: isFault ? rule : null }
}

function namesIn(template: string, path: string): JsonObject {
  const pattern = new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]*)')}`, 'i')
  const names = Object.entries(pattern.exec(path)?.groups ?? {})
  return Object.fromEntries(names.map(([name, value]) => [name, decoded(value)]))
}
