/** Callbacks from their first line in the outbox to the last attempt, and the built-in receivers. */
import { type Core, callbackAddress, emitCallbackEvent, kindOf, stamp } from '../core.ts'
import { type Attempt, type Callback, retryAfter, type SignatureState, tryOf } from '../model/callback.ts'
import { faultyText, REORDER_AT_MOST_US } from '../model/callback-fault.ts'
import { type Due, LANE } from '../model/due.ts'
import {
  type InboxBehaviour,
  type InboxMessage,
  inboxAnswer,
  PLAIN,
  type StoredInboxBehaviour,
} from '../model/inbox.ts'
import { variedBody } from '../model/json.ts'
import type { KindCallback } from '../model/kind.ts'
import type { Payment } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'

/** About the payment as it is now; its first attempt is due at once. Does nothing without an address. */
export function writeCallback(core: Core, payment: Payment): void {
  const { callback: about } = kindOf(core, payment)
  const url = callbackAddress(core, payment)
  if (!about || url === null || hasNoCallback(core, payment)) return
  const fault = payment.plan.callback
  const { callbacks } = core.store
  // `reorder` holds a callback until the next one is sent. The next is not held, too, or neither would be sent.
  const isFirst = fault?.reorder === true && callbacks.ofPayment(payment.seq).length === 0
  const held = isFirst && callbacks.heldAt(url).length === 0
  const state = fault?.drop ? 'dropped' : held ? 'held' : 'pending'
  const id = core.store.counters.next('callback')
  const createdAtUs = stamp(core)
  const callback: Callback = {
    id,
    uid: `msg_${core.ids.numberedUuid('callback', id)}`,
    paymentSeq: payment.seq,
    topic: payment.kind,
    url,
    body: faultyText(bodyOf(core, payment, about), fault),
    state,
    attempts: 0,
    createdAtUs,
    settledAtUs: state === 'dropped' ? createdAtUs : null,
    fault: fault ?? null,
    trace: payment.trace ?? null,
  }
  // A callback that waits for another goes by itself in the end: there may be no other.
  const delayUs = fault?.delayUs ?? (held ? REORDER_AT_MOST_US : 0)
  const afterUs = fault?.reorder && !held ? 0 : delayUs
  const dueAtUs = state === 'dropped' ? null : afterUs > 0 ? core.clock.now() + afterUs : nextSlotUs(core)
  if (dueAtUs !== null) addDelivery(core, callback, dueAtUs)
  callbacks.insert(callback)
  emitCallbackEvent(core, callback, dueAtUs)
}

function hasNoCallback({ scenario: { assumptions } }: Core, { status, history }: Payment): boolean {
  if (status === 'EXPIRED') return assumptions['expired-callback'] === 'none'
  if (assumptions['reversal-callback'] !== 'none') return false
  return history.some((moment) => moment.event === 'revise' || moment.event === 'REVERSE')
}

function bodyOf(core: Core, payment: Payment, about: KindCallback<never>): object {
  const body = about.body(core, payment as Payment<never>)
  return variedBody(body, core.scenario, `${payment.kind} callback`) as object
}

function nextSlotUs({ clock, scenario, store }: Core): InstantUs {
  const { gapUs } = scenario.callbacks
  return gapUs === 0 ? clock.now() : store.counters.rise('callback-slot', clock.now(), gapUs)
}

/** Event of an additional attempt, whose outcome changes nothing. */
const REPEAT = 'repeat'
/** Event of an attempt that an operator asked for. Retries go on as planned, unless it is received. */
export const BY_HAND = 'by-hand'

/** Also for copies that leave with it. */
function addDelivery({ store }: Core, { id, fault }: Callback, dueAtUs: InstantUs): void {
  store.agenda.add(LANE.deliveries, dueAtUs, id, 'deliver')
  const copies = fault?.together ? (fault.duplicate ?? 1) - 1 : 0
  for (let copy = 0; copy < copies; copy++) store.agenda.add(LANE.deliveries, dueAtUs, id, REPEAT)
}

export function recordAttempt(
  core: Core,
  { due, attempt, accepted }: { due: Due; attempt: Attempt; accepted: boolean },
): Callback | null {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(attempt.callbackId)
  agenda.remove(LANE.deliveries, due)
  if (!callback) return null
  const byHand = due.event === BY_HAND
  const automatic = callbacks.automaticAttempts(callback) + (byHand ? 0 : 1)
  // Counted here and not where it was sent: an operator may have it told again while an attempt is under way.
  const number = callback.attempts + 1
  callback.attempts = number
  callbacks.addAttempt({ ...attempt, number, byHand })
  const { fault } = callback
  // Received by hand meanwhile, it stays so.
  const repeated = due.event === REPEAT || (!byHand && callback.state === 'delivered')
  const nowUs = core.clock.now()
  const againUs = accepted || repeated || byHand ? null : retryAfter(core.scenario.callbacks, tryOf(automatic, fault))
  let nextAtUs = againUs === null ? null : nowUs + againUs
  if (nextAtUs !== null) agenda.add(LANE.deliveries, nextAtUs, callback.id, 'deliver')
  if (byHand) nextAtUs = afterByHand(core, callback, accepted)
  else if (!repeated) callback.state = accepted ? 'delivered' : againUs === null ? 'failed' : 'pending'
  if (callback.state === 'delivered' && !fault?.together && number < (fault?.duplicate ?? 1)) {
    nextAtUs = nowUs
    agenda.add(LANE.deliveries, nextAtUs, callback.id, REPEAT)
  }
  // No stamp: answers come in whatever order receivers give them, and must not shift the stamps of records.
  if (!repeated) callback.settledAtUs = isUnsettled(callback) ? null : Math.max(nowUs, callback.createdAtUs)
  callbacks.save(callback)
  emitCallbackEvent(core, callback, nextAtUs, { ...attempt, number })
  releaseHeld(core, callback)
  return callback
}

function isUnsettled({ state }: Callback): boolean {
  return state === 'pending' || state === 'held'
}

/** A received attempt makes retries unnecessary. Otherwise nothing changes. Gives the time of the next attempt. */
function afterByHand({ store }: Core, callback: Callback, accepted: boolean): InstantUs | null {
  const { agenda, callbacks } = store
  if (accepted) {
    agenda.cancel(LANE.deliveries, callback.id, 'deliver')
    callback.state = 'delivered'
    return null
  }
  const next = agenda.of(LANE.deliveries, callback.id).find(({ event }) => event !== REPEAT)
  if (callback.state !== 'held') {
    const received = callbacks.attemptsOf(callback.id).some(({ error }) => error === null)
    const over = received ? 'delivered' : callback.fault?.drop ? 'dropped' : 'failed'
    callback.state = next ? 'pending' : over
  }
  return next?.dueAtUs ?? null
}

function releaseHeld(core: Core, gone: Callback): void {
  const { agenda, callbacks } = core.store
  for (const held of callbacks.heldAt(gone.url)) {
    if (held.id >= gone.id) continue
    const free: Callback = { ...held, state: 'pending' }
    agenda.cancel(LANE.deliveries, held.id)
    addDelivery(core, free, core.clock.now())
    callbacks.save(free)
    emitCallbackEvent(core, free, core.clock.now())
  }
}

export function redeliver(core: Core, { callbackId }: { callbackId: number }): Callback {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(callbackId)
  if (!callback) throw new Refusal('RESOURCE_NOT_FOUND', `no callback has the id ${callbackId}`)
  if (callback.state !== 'held') {
    callback.state = 'pending'
    callback.settledAtUs = null
    callbacks.save(callback)
  }
  agenda.add(LANE.deliveries, core.clock.now(), callback.id, BY_HAND)
  emitCallbackEvent(core, callback, core.clock.now())
  return callback
}

/** All that became due meanwhile is sent now. */
export function resumePausedCallbacks({ clock, store }: Core): { resumed: boolean } {
  const resumed = store.meta.callbacksPaused
  store.meta.resumeCallbacks()
  if (resumed) store.agenda.onDue(clock.now())
  return { resumed }
}

interface Received extends Pick<InboxMessage, 'name' | 'headers' | 'body'> {
  signature: SignatureState
  asked?: { query: string; settings: InboxBehaviour }
}

const UNTOLD: StoredInboxBehaviour = { asked: '', settings: PLAIN, taken: 0 }

export function receiveInInbox(core: Core, { name, headers, body, signature, asked }: Received) {
  const { inbox, counters } = core.store
  const known = inbox.behaviour(name, asked?.query ?? '')
  const behaviour = known ?? (asked ? { ...UNTOLD, asked: asked.query, settings: asked.settings } : UNTOLD)
  const { settings, taken } = behaviour
  const answer = inboxAnswer(settings, taken)
  // One that nobody gave a behaviour has none to remember.
  if (known || asked) inbox.saveBehaviour(name, { ...behaviour, taken: taken + 1 })
  const message = {
    id: counters.next('inbox'),
    name,
    atUs: core.clock.now(),
    headers,
    body,
    answered: answer.token,
    signature,
  }
  inbox.add(message)
  core.emit({ type: 'inbox', atUs: message.atUs, id: message.id, name })
  return { message, answer }
}

/** `replace`: unnamed settings return to their defaults; otherwise they stay. */
export function setInboxBehaviour(
  core: Core,
  { name, settings, replace }: { name: string; settings: Partial<InboxBehaviour>; replace: boolean },
): StoredInboxBehaviour {
  const { inbox } = core.store
  const before = inbox.behaviour(name, '') ?? UNTOLD
  const begins = replace || settings.answers !== undefined
  const after = {
    asked: '',
    settings: { ...(replace ? PLAIN : before.settings), ...settings },
    taken: begins ? 0 : before.taken,
  }
  inbox.saveBehaviour(name, after)
  return after
}

export function clearInbox(core: Core, { name }: { name: string }): { name: string } {
  core.store.inbox.clear(name)
  return { name }
}
