/** Shows what a request would lead to: makes it in a copy of the world, and runs time there. */
import * as z from 'zod'
import type { PostResult } from '../core/host.ts'
import { isOpen } from '../core/lifecycle.ts'
import { presentZone } from '../core/model/calendar.ts'
import { type Callback, tryOf } from '../core/model/callback.ts'
import { describeCallbackFault } from '../core/model/callback-fault.ts'
import { LANE } from '../core/model/due.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { CallbackDomainEvent, DomainEvent, PaymentDomainEvent } from '../core/model/journal.ts'
import { type Transfer, toMajor } from '../core/model/money.ts'
import { must } from '../core/model/must.ts'
import type { Payment } from '../core/model/payment.ts'
import { textOf } from '../core/model/text.ts'
import { formatDuration, type InstantUs, isoInstant, LAST_INSTANT_US } from '../core/model/time.ts'
import { remaining } from '../core/rail-outcomes.ts'
import { faultTarget, turnOn } from '../core/response-faults.ts'
import type { World } from '../core/world.ts'
import { describe, joined } from '../http/response-fault.ts'
import { shownZoneShape } from '../inspect/present.ts'
import { type Reader, view } from '../inspect/view.ts'
import { paymentsService } from '../service/service.ts'
import { type ExplainRequest, inCopy, type MadeRequest, ruleBehind } from './explain.ts'

/** Limit of events in a copy. */
const MOST_STEPS = 20_000

/**
 * `copy`: opens a copy whose receivers answer so, by default 200; closed here. Runs two futures, because a receiver may
 * or may not accept callbacks.
 */
export async function preview(copy: (answer?: PostResult) => World, asked: ExplainRequest) {
  const { sequence, certain } = await inCopy(copy(), asked, async (made) => {
    const run = await runOn(made)
    const { operation, trace, startUs } = run
    const { name: scenario, zone } = run.copy.core.scenario
    const { steps, certain } = stepsOf(run)
    const kind = run.kind?.name ?? (operation ? faultTarget(operation) : '')
    const fault = trace.fault?.fault?.by ?? null
    return { sequence: { scenario, kind, rule: ruleBehind(run, trace.refusal), fault, startUs, zone, steps }, certain }
  })
  if (certain.size === 0) return sequence
  const failing = copy({ status: 503, body: '', tookMs: 0 })
  const left = await inCopy(failing, asked, async (made) => attemptsLeft(await runOn(made), certain), sequence.startUs)
  return { ...sequence, steps: [...sequence.steps, ...left].sort((a, b) => a.atUs - b.atUs) }
}

/** Acts as merchant and operator, and runs time until nothing is due. */
async function runOn(made: MadeRequest): Promise<PreviewRun> {
  const { copy, payment, events } = made
  const polled = new Set<DomainEvent>()
  if (!payment) return { ...made, polled, topUpAt: undefined }
  let topUpAt: number | undefined
  if (copy.core.store.floatQueue.has(payment.seq)) {
    await copy.runClock({ to: (nowUs) => nowUs })
    topUpAt = events.length
    await topUp(copy, payment)
  }
  for (let reads = 0; reads < (payment.plan.untilPoll ?? 0); reads++) {
    const before = events.length
    await copy.perform({ command: 'poll-payment', seq: payment.seq })
    for (const event of events.slice(before)) polled.add(event)
  }
  await copy.runClock({ to: () => LAST_INSTANT_US, untilIdle: true, most: MOST_STEPS })
  return { ...made, payment: copy.core.store.payments.bySeq(payment.seq), polled, topUpAt }
}

async function topUp(copy: World, { plan, currency }: Payment): Promise<void> {
  const { core } = copy
  const float = core.scenario.rails.float.find((one) => one.name === plan.float && one.currency === currency)
  if (!float) return
  const waitingMinor = core.store.floatQueue
    .of(float.name, currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  const amountMinor = Math.max(1, waitingMinor - remaining(core, float))
  await copy.perform({ command: 'fund-float', name: float.name, currency, amountMinor })
}

/** Steps are in order of world time. */
export const shownSequence = view(null, (read: Reader<Awaited<ReturnType<typeof preview>>>) => ({
  scenario: z.string(),
  timezone: read(shownZoneShape(), ({ zone }) => presentZone(zone)),
  kind: z.string(),
  rule: z.string().nullable(),
  fault: z.string().nullable(),
  steps: read(
    z.array(
      z.object({
        at: z.string(),
        after: z.string(),
        from: z.enum(parties),
        to: z.enum(parties),
        what: z.string(),
        only: z.string().nullable(),
      }),
    ),
    ({ startUs, steps }) =>
      steps.map(({ atUs, only = null, ...step }) => ({
        at: isoInstant(atUs),
        after: formatDuration(atUs - startUs),
        ...step,
        only,
      })),
  ),
}))

// The steps of a sequence, from what happens in the copied world.

const parties = ['merchant', 'mfano', 'rail'] as const
type SequenceParty = (typeof parties)[number]

interface PreviewStep {
  atUs: InstantUs
  from: SequenceParty
  to: SequenceParty
  what: string
  /** The condition under which it happens. */
  only?: string | undefined
}

/** A request whose copy ran on until nothing was due. */
interface PreviewRun extends MadeRequest {
  polled: ReadonlySet<DomainEvent>
  /** Index of the first event that follows from a top-up of the float. */
  topUpAt: number | undefined
}

type CallbackEvent = DomainEvent & CallbackDomainEvent

/** By callback, the number of attempts that happen whatever the receiver answers. */
type CertainAttempts = ReadonlyMap<number, number>

const SHOWN_RETRIES = 5

/** In order of simulated time. */
function stepsOf(run: PreviewRun): { steps: PreviewStep[]; certain: CertainAttempts } {
  const { operation, startUs, events, payment, answeredAt, topUpAt = events.length } = run
  const { ledger, store } = run.copy.core
  const caller = operation ? 'merchant' : 'rail'
  const steps: PreviewStep[] = []
  const certain = new Map<number, number>()
  const received = new Set<number>()
  const statuses = statusOfCallbacks(run)
  // Two payments if the request is executed twice.
  const seqs = payment ? [payment.seq, ...(payment.plan.twice ? [payment.seq + 1] : [])] : []

  const step = (atUs: InstantUs, from: SequenceParty, to: SequenceParty, what: string, only?: string) =>
    steps.push({ atUs, from, to, what, only })
  const note = (atUs: InstantUs, what: string) => step(atUs, 'mfano', 'mfano', what)

  function answer(): void {
    step(startUs, 'mfano', caller, answerText(run))
    if (payment?.plan.untilFunded && run.topUpAt !== undefined)
      note(startUs, `waits until the float "${payment.plan.float}" holds the amount`)
  }

  function paymentEvent(event: DomainEvent & PaymentDomainEvent): void {
    if (!seqs.includes(event.seq)) return
    const second = event.seq !== seqs[0]
    if (event.from !== null) transition(event, second ? 'second payment: ' : '')
    else if (second) note(event.atUs, 'makes a second payment')
    for (const what of movements(event)) note(event.atUs, what)
    const refused = payment?.history.find(({ event: name }) => name === 'twice')
    if (event.from === null && refused) note(event.atUs, `a second payment is refused: ${refused.detail}`)
  }

  function transition(event: DomainEvent & PaymentDomainEvent, prefix: string): void {
    const { plan, history, details } = must(store.payments.bySeq(event.seq))
    const name = history.find(({ atUs }) => atUs === event.updatedAtUs)?.event ?? ''
    const sets = Object.entries((name === 'revise' ? plan.revise?.with : plan.with) ?? {})
    const set = sets.filter(([field, value]) => details[field] === value && !isOpen(event.to))
    const shown = set.length > 0 ? ` (${set.map(([field, value]) => `${field} ${textOf(value)}`).join(', ')})` : ''
    const polled = run.polled.has(event)
    step(
      event.atUs,
      polled ? 'merchant' : 'rail',
      'mfano',
      `${prefix}${polled ? `reads it, and read ${plan.untilPoll} ends it` : name}: ${event.to}${shown}`,
      name === 'expire' ? 'nobody pays on the page' : undefined,
    )
  }

  function movements({ seq, updatedAtUs }: PaymentDomainEvent): Set<string> {
    const words = ledger.transfersOf(seq).flatMap((transfer) => {
      if (transfer.createdAtUs === updatedAtUs) return [begun(transfer)]
      if (transfer.settledAtUs !== updatedAtUs) return []
      return [transfer.state === 'voided' ? 'lets the reserved amount go' : 'the money moves']
    })
    return new Set(words)
  }

  function begun({ kind, createdAtUs, settledAtUs, debitAccount, creditAccount }: Transfer): string {
    if (settledAtUs !== createdAtUs) return 'reserves the amount'
    if (kind === 'reversal') return 'takes the money back'
    const isWallet = (id: number) => ledger.accounts().find((account) => account.id === id)?.kind === 'wallet'
    if (!isWallet(debitAccount)) return 'the money comes in'
    return isWallet(creditAccount) ? 'moves the money between the wallets' : 'the money moves'
  }

  function callbackEvent(event: CallbackEvent): void {
    const callback = store.callbacks.byId(event.id)
    if (!callback || !seqs.includes(callback.paymentSeq ?? 0)) return
    const says = `callback ${statuses.get(event.id)}`
    if (event.attempt !== null) step(event.atUs, 'mfano', 'merchant', `${says}${attempt(event, callback)}`)
    else if (event.state === 'dropped') note(event.atUs, `${says} is written, and never sent`)
  }

  function attempt(event: CallbackEvent, { fault }: Callback): string {
    const { id, attempts } = event
    const copies = fault?.together ? (fault.duplicate ?? 1) : 1
    const again = received.has(id)
    if (!again) certain.set(id, Math.max(attempts, copies))
    const accepted = event.attempt?.error === null
    if (accepted) received.add(id)
    const lost = accepted ? '' : '; its answer is lost on the way back'
    if (attempts === 1) return `${fault ? ` (${describeCallbackFault(fault)})` : ''}${lost}`
    if (attempts <= copies) return ` at the same time, ${attempts} of ${copies}`
    if (again) return ` again although it was received, ${attempts} of ${fault?.duplicate}`
    return `${retryText(run, event)}${lost}`
  }

  step(startUs, caller, 'mfano', operation ? faultTarget(operation) : paidBy(run))
  const early = payment?.plan.callback?.early === true && payment.plan.afterUs === 0
  const requestAt = early ? answeredAt - 1 : events.findIndex(({ type }) => type === 'request')
  const before = new Set<number>()
  for (const [i, event] of events.entries()) {
    const known = steps.length
    if (event.type === 'payment') paymentEvent(event)
    else if (event.type === 'callback') {
      callbackEvent(event)
      if (i < topUpAt) before.add(event.id)
    }
    // A step begun before the top-up goes on without it.
    const goesOn = event.type === 'callback' && before.has(event.id)
    if (i >= topUpAt && !goesOn)
      for (const late of steps.slice(known)) late.only ??= `the float "${payment?.plan.float}" is topped up at once`
    if (i === requestAt && operation) answer()
  }
  if (run.off || (!payment && !operation)) answer()
  if (payment && isOpen(payment.status) && store.agenda.of(LANE.steps, payment.seq).length === 0)
    note(steps.at(-1)?.atUs ?? startUs, `stays ${payment.status} until an operator or a payer acts`)
  return { steps, certain }
}

function paidBy({ kind }: MadeRequest): string {
  return paymentsService.collections.find((one) => one.kind === kind?.name)?.phrase ?? 'a customer pays'
}

/** A replaced answer is described by the fault alone. */
function answerText(run: PreviewRun): string {
  const { operation, kind, off, trace, payment, events } = run
  if (off && operation) return `404 RESOURCE_NOT_FOUND: ${turnOn(operation)}`
  const request = events.find(({ type }) => type === 'request')
  const status = request?.type === 'request' ? request.status : 201
  const text = payment
    ? `${status}, Mfano-Rule: ${payment.plan.rule}`
    : kind
      ? refusedText(run)
      : `${operation?.answer.status}`
  const planned = payment?.plan.answer && { by: payment.plan.rule, executed: true, answer: payment.plan.answer }
  const fault: ResponseFault | undefined = joined(trace.fault?.fault, planned)
  if (!fault) return text
  return fault.answer === undefined && fault.executed ? `${text}; ${describe(fault, true)}` : describe(fault, true)
}

function refusedText({ copy, trace: { refusal, payment: decided } }: PreviewRun): string {
  if (!refusal) return 'nothing is made'
  const { status, code, rule, details } = refusal
  if (rule !== undefined) return `${status} ${code}, nothing is made`
  if (code !== 'INSUFFICIENT_FUNDS' || !decided) return `${status} ${code}, ${details}; nothing is made`
  const { organisationId, currency } = decided.input
  const available = toMajor(copy.core.ledger.available(organisationId, currency))
  return `${status} ${code}, the wallet holds ${available}; nothing is made`
}

/** Attempts that happen only if the receiver accepts none before. */
function attemptsLeft(run: PreviewRun, certain: CertainAttempts): PreviewStep[] {
  const accepted = run.copy.core.scenario.assumptions['callback-success'] === '200' ? '200' : '2xx'
  const only = `no attempt before was answered with ${accepted}`
  const statuses = statusOfCallbacks(run)
  return [...certain].flatMap(([id, known]) => {
    const left = run.events.filter(
      (event): event is CallbackEvent =>
        event.type === 'callback' && event.id === id && event.attempt !== null && event.attempts > known,
    )
    return left.slice(0, SHOWN_RETRIES).map((event, i): PreviewStep => {
      const more = i === SHOWN_RETRIES - 1 ? left.length - SHOWN_RETRIES : 0
      const what = `callback ${statuses.get(id)}${retryText(run, event)}${more > 0 ? `, and ${more} more` : ''}`
      return { atUs: event.atUs, from: 'mfano', to: 'merchant', what, only }
    })
  })
}

/** Such as ` again, attempt 2 of 5`. */
function retryText({ copy: { core } }: PreviewRun, { id, attempts }: CallbackEvent): string {
  const fault = core.store.callbacks.byId(id)?.fault ?? null
  const most = fault?.retry?.attempts ?? core.scenario.callbacks.attempts
  return ` again, attempt ${tryOf(attempts, fault)} of ${most}`
}

/** The payment's status when the callback was written, or the word that replaces it. */
function statusOfCallbacks({ copy, events }: PreviewRun): Map<number, string> {
  const found = new Map<number, string>()
  const now = new Map<number, string>()
  for (const event of events) {
    if (event.type === 'payment') now.set(event.seq, event.to)
    if (event.type !== 'callback' || found.has(event.id)) continue
    const { fault, paymentSeq } = copy.core.store.callbacks.byId(event.id) ?? {}
    found.set(event.id, fault?.status ?? now.get(paymentSeq ?? 0) ?? '')
  }
  return found
}
