import type { Hono } from 'hono'
import { openingOperation } from '../api/opening.ts'
import { facts } from '../engine/handlers/open-payment.ts'
import { currencyOf } from '../model/money.ts'
import { type JsonObject, type Payment, type PaymentKind, paymentKinds } from '../model/payment.ts'
import { formatInstant, type InstantUs } from '../model/time.ts'
import { type Closeness, closenessTo, sightOf } from '../scenarios/closeness.ts'
import type { RuleSummary } from '../scenarios/scenario.ts'
import type { Sight } from '../scenarios/vocabulary.ts'
import type { JournalEntry } from '../store/journal.ts'
import type { World } from '../world/world.ts'
import { type ControlEnv, json } from './kit.ts'

/** So many of the newest requests are compared with a rule that never fired. */
const COMPARED = 1_000
/** And so many such rules: who arms more is told so by the first. */
const EXPLAINED = 100
/** Comparisons in all, so that an answer never takes long. */
const COMPARISONS = 50_000
/** Where the counting began: these series as they were when the counts were taken back to zero. */
const SINCE = { payment: 'hits:since-payment', journal: 'hits:since-journal' } as const

/** Which rules of the scenario in force decided something, and which never did. */
export function hitRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/scenario/hits', (c) => json(c, hits(c.env.world)))

  app.delete('/_mfano/scenario/hits', async (c) => {
    const { commit, core } = c.env.world
    const { counters } = core.store
    await commit.submit(() => {
      for (const name of counters.named('rule:')) counters.set(name, 0)
      counters.set(SINCE.payment, counters.current('payment'))
      counters.set(SINCE.journal, counters.current('journal'))
    })
    return json(c, { cleared: true })
  })
}

function hits(world: World) {
  const { scenario, store } = world.core
  const rules = scenario.rules.map(({ name, on, when, file, line, inherited }) => ({
    rule: name,
    hits: store.counters.current(`rule:${name}`),
    on,
    when: when ?? null,
    file,
    line,
    inherited,
  }))
  const idle = scenario.rules.filter((rule) => !rule.inherited && store.counters.current(`rule:${rule.name}`) === 0)
  const faults = [...scenario.faults, ...scenario.callbackFaults]
  const idleFaults = faults
    .filter((fault) => !fault.inherited && store.counters.current(`rule:${fault.name}`) === 0)
    .map(({ name, on, file, line }) => ({
      rule: name,
      file,
      line,
      nearest: null,
      why: `nothing of ${on.join(', ')} met it`,
    }))
  const requests = idle.length > 0 ? newest(world, idle) : []
  const compared = Math.max(10, Math.min(COMPARED, Math.floor(COMPARISONS / Math.max(1, idle.length))))
  return {
    scenario: scenario.name,
    rules,
    faults: faults.map(({ name, on, when, file, line, inherited }) => ({
      fault: name,
      hits: store.counters.current(`rule:${name}`),
      on,
      when: when ?? null,
      file,
      line,
      inherited,
    })),
    // What is inherited is there to be used or not; a scenario's own rules are there to fire.
    neverFired: idle
      .map((rule, i) => ({
        rule: rule.name,
        file: rule.file,
        line: rule.line,
        ...(i < EXPLAINED
          ? nearest(rule, requests, compared)
          : { nearest: null, why: 'not looked for, there are too many' }),
      }))
      .concat(idleFaults),
  }
}

/** A request that some other rule decided. */
interface Asked {
  kind: PaymentKind
  request: JsonObject
  atUs: InstantUs
  /** The rule that decided it. */
  rule: string
  /** Finds it: the payment, or the request's entry in the journal where nothing was made. */
  found: { payment: string } | { requestId: string }
  sight: Sight
}

/** The newest requests of the rules' kinds that a rule decided: payments, and what was refused. Newest first. */
function newest(world: World, rules: readonly RuleSummary[]): Asked[] {
  const { payments, journal, counters } = world.core.store
  const kinds = [...new Set(rules.flatMap(({ on }) => on))]
  const made = payments
    .page({ kinds }, { limit: COMPARED, newestFirst: true })
    .filter(({ seq }) => seq > counters.current(SINCE.payment))
    .map((payment) => ofPayment(world, payment))
  const refused = journal
    .page({ method: 'POST', limit: COMPARED, newestFirst: true, after: counters.current(SINCE.journal) })
    .flatMap((entry) => ofRefusal(world, entry) ?? [])
    .filter(({ kind }) => kinds.includes(kind))
  return [...made, ...refused].sort((a, b) => b.atUs - a.atUs)
}

function ofPayment(world: World, payment: Payment): Asked {
  const { kind, request, createdAtUs, plan, uuid, organisationId, currency, amountMinor } = payment
  const input = { kind, organisationId, currency, amountMinor, request }
  const about = { ...facts(world.core, input, payment.id), nowUs: createdAtUs }
  const sight = sightOf(about, world.core.scenario.directory)
  return { kind, request, atUs: createdAtUs, rule: plan.rule, found: { payment: uuid }, sight }
}

function ofRefusal(world: World, entry: JournalEntry): Asked | undefined {
  const kind = paymentKinds.find(
    (one) => openingOperation[one] !== undefined && openingOperation[one] === entry.operation,
  )
  if (!kind || entry.rule === null || entry.status < 400 || entry.organisationId === null) return undefined
  let request: JsonObject
  try {
    request = JSON.parse(entry.requestBody ?? '')
  } catch {
    return undefined
  }
  const currency = currencyOf(String(request['currencyCode'] ?? request['currency'] ?? 'KES')) ?? 'KES'
  const { organisationId, atUs, rule, requestId } = entry
  const nth = world.core.store.counters.current(`payment:${kind}`) + 1
  const about = { ...facts(world.core, { kind, organisationId, currency, amountMinor: 0, request }, nth), nowUs: atUs }
  const sight = sightOf(about, world.core.scenario.directory)
  return { kind, request, atUs, rule, found: { requestId }, sight }
}

/** The request that most parts of the rule's condition held for; of equals, the newest. */
function nearest(rule: RuleSummary, requests: readonly Asked[], compared: number) {
  const closeness = closenessTo(rule)
  let best: { asked: Asked; close: Closeness } | undefined
  let left = compared
  for (const asked of requests) {
    if (!rule.on.includes(asked.kind)) continue
    if (left-- === 0) break
    const close = closeness(asked.kind, asked.sight)
    if (best === undefined || close.held.length > best.close.held.length) best = { asked, close }
    if (close.missed.length === 0) break
  }
  if (!best) return { nearest: null, why: `no ${rule.on.join(' or ')} request came to the rules` }
  const { asked, close } = best
  const shown = {
    ...asked.found,
    kind: asked.kind,
    at: formatInstant(asked.atUs),
    request: asked.request,
    decidedBy: asked.rule,
    held: close.held,
    missed: close.missed,
  }
  return { nearest: shown, why: why(rule, asked, close) }
}

function why(rule: RuleSummary, asked: Asked, { missed }: Closeness): string {
  if (missed.length > 0) return `${missed.join(' and ')} ${missed.length === 1 ? 'is' : 'are'} false`
  const reasons = [
    rule.chance !== undefined && rule.chance < 1 && `its chance of ${rule.chance} was not drawn`,
    rule.nth !== undefined && `it decides only ${rule.nth} of its matches`,
  ].filter(Boolean)
  const before = `the rule "${asked.rule}" decided before it was asked`
  return reasons.length > 0 ? `its condition held, and ${reasons.join(', or ')}, or ${before}` : before
}
