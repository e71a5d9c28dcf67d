/** Commands on callbacks: an attempt has ended, or one is sent again. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { emitCallbackEvent } from '../../emit-events.ts'
import type { Callback } from '../../model/callback.ts'
import type { CallbackPolicy } from '../../model/callback-policy.ts'
import { LANE } from '../../model/due.ts'
import { commonReasons, refused } from '../../model/refusal-reasons.ts'
import { retryAfter, tryOf } from '../../model/retries.ts'
import type { InstantUs } from '../../model/time.ts'
import { callbacksPaused, resumeCallbacks } from '../../world-meta.ts'
import { addDelivery, BY_HAND, REPEAT } from '../outbox.ts'

export function recordAttempt(
  core: Core,
  { due, attempt, accepted }: Command<'record-attempt'>,
): CommandResult<'record-attempt'> {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(attempt.callbackId)
  if (callback?.due?.seq === due.seq) callback.due = null
  else agenda.remove(LANE.deliveries, due)
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
  const againUs = accepted || repeated || byHand ? null : retryAfter(policyOf(core, callback), tryOf(automatic, fault))
  let nextAtUs = againUs === null ? null : nowUs + againUs
  if (nextAtUs !== null) agenda.add(LANE.deliveries, nextAtUs, callback.id, 'deliver', callback)
  if (byHand) nextAtUs = afterByHand(core, callback, accepted)
  else if (!repeated) callback.state = accepted ? 'delivered' : againUs === null ? 'failed' : 'pending'
  if (callback.state === 'delivered' && !fault?.together && number < (fault?.duplicate ?? 1)) {
    nextAtUs = nowUs
    agenda.add(LANE.deliveries, nextAtUs, callback.id, REPEAT, callback)
  }
  // No stamp: answers come in whatever order receivers give them, and must not shift the stamps of records.
  if (!repeated) callback.settledAtUs = isUnsettled(callback) ? null : Math.max(nowUs, callback.createdAtUs)
  callbacks.save(callback)
  emitCallbackEvent(core, callback, nextAtUs, { ...attempt, number })
  releaseHeld(core, callback)
  return callback
}

function policyOf({ scenario }: Core, { fault }: Callback): CallbackPolicy {
  return fault?.retry ? { ...scenario.callbacks, ...fault.retry } : scenario.callbacks
}

function isUnsettled({ state }: Callback): boolean {
  return state === 'pending' || state === 'held'
}

/** A received attempt makes retries unnecessary. Otherwise nothing changes. Gives the time of the next attempt. */
function afterByHand({ store }: Core, callback: Callback, accepted: boolean): InstantUs | null {
  const { agenda, callbacks } = store
  if (accepted) {
    agenda.cancel(LANE.deliveries, callback.id, callback, 'deliver')
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
    agenda.cancel(LANE.deliveries, held.id, free)
    addDelivery(core, free, core.clock.now())
    callbacks.save(free)
    emitCallbackEvent(core, free, core.clock.now())
  }
}

export function redeliver(core: Core, { callbackId }: Command<'redeliver'>): CommandResult<'redeliver'> {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(callbackId)
  if (!callback) throw refused(commonReasons.nothingThere, `no callback has the id ${callbackId}`)
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
export function resumePausedCallbacks({ clock, store }: Core): CommandResult<'resume-callbacks'> {
  const resumed = callbacksPaused(store.meta)
  resumeCallbacks(store.meta)
  if (resumed) store.agenda.onAdd(clock.now())
  return { resumed }
}
