/** Writes callbacks and makes them due. */
import { type Core, callbackAddress, kindOf, stamp } from '../core.ts'
import { emitCallbackEvent } from '../emit-events.ts'
import type { Callback } from '../model/callback.ts'
import { faultyText, REORDER_AT_MOST_US } from '../model/callback-fault.ts'
import { LANE } from '../model/due.ts'
import type { KindCallback } from '../model/kind.ts'
import type { Payment } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import { variedBody } from '../model/vary-body.ts'

/**
 * About the payment as it is now; its first attempt is due at once. The caller saves the payment. Does nothing without
 * an address.
 */
export function writeCallback(core: Core, payment: Payment): void {
  const { callback: about } = kindOf(core, payment)
  const url = callbackAddress(core, payment)
  if (!about || url === null || isUntold(core, payment)) return
  const fault = payment.plan.callback
  const { callbacks } = core.store
  // One waits for the next: were the next to wait too, neither would go.
  const held = fault?.reorder === true && payment.lastCallbackId === null && callbacks.heldAt(url).length === 0
  const state = fault?.drop ? 'dropped' : held ? 'held' : 'pending'
  const id = core.store.counters.next('callback')
  const createdAtUs = stamp(core)
  const callback: Callback = {
    id,
    uid: `msg_${core.ids.uuidDigits('callback', id)}`,
    paymentSeq: payment.seq,
    previousId: payment.lastCallbackId,
    topic: payment.kind,
    url,
    body: faultyText(bodyOf(core, payment, about), fault),
    state,
    attempts: 0,
    createdAtUs,
    settledAtUs: state === 'dropped' ? createdAtUs : null,
    fault: fault ?? null,
    trace: payment.trace ?? null,
    due: null,
  }
  // What waits for another goes by itself in the end: there may be no other.
  const delayUs = fault?.delayUs ?? (held ? REORDER_AT_MOST_US : 0)
  const afterUs = fault?.reorder && !held ? 0 : delayUs
  const dueAtUs = state === 'dropped' ? null : afterUs > 0 ? core.clock.now() + afterUs : nextSlotUs(core)
  if (dueAtUs !== null) addDelivery(core, callback, dueAtUs)
  callbacks.insert(callback)
  payment.lastCallbackId = id
  emitCallbackEvent(core, callback, dueAtUs)
}

function isUntold({ scenario: { assumptions } }: Core, { status, history }: Payment): boolean {
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
export const REPEAT = 'repeat'
/** Event of an attempt that an operator asked for. Retries go on as planned, unless it is received. */
export const BY_HAND = 'by-hand'

/** Also for copies that leave with it. The caller saves the callback. */
export function addDelivery({ store }: Core, callback: Callback, dueAtUs: InstantUs): void {
  const { id, fault } = callback
  store.agenda.add(LANE.deliveries, dueAtUs, id, 'deliver', callback)
  const copies = fault?.together ? (fault.duplicate ?? 1) - 1 : 0
  for (let copy = 0; copy < copies; copy++) store.agenda.add(LANE.deliveries, dueAtUs, id, REPEAT)
}
