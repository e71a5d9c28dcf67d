/** Commands on callbacks: an attempt has ended, or one is sent again. */
import { retryAfter, tryOf } from '../../callbacks/retries.ts'
import { commonReasons, refused } from '../../model/refusal-reasons.ts'
import { LANE } from '../../store/agenda-table.ts'
import type { Callback } from '../../store/callback-table.ts'
import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'
import { emitCallbackEvent } from '../domain-events.ts'
import { addDelivery, REPEAT } from '../outbox.ts'

/** An attempt has ended: delivered, to be tried again, or given up. */
export function recordAttempt(
  core: Core,
  { due, attempt, accepted }: Command<'record-attempt'>,
): Result<'record-attempt'> {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(attempt.callbackId)
  if (callback?.due?.seq === due.seq) callback.due = null
  else agenda.remove(LANE.deliveries, due)
  if (!callback) return null
  // Counted here and not where it was sent: an operator may have it told again while an attempt is under way.
  const number = callback.attempts + 1
  callback.attempts = number
  callbacks.addAttempt({ ...attempt, number })
  const { fault } = callback
  const repeated = due.event === REPEAT
  const policy = fault?.retry ? { ...core.scenario.callbacks, ...fault.retry } : core.scenario.callbacks
  const againUs = accepted || repeated ? null : retryAfter(policy, tryOf(number, fault))
  const nowUs = core.clock.now()
  let nextAtUs = againUs === null ? null : nowUs + againUs
  if (nextAtUs !== null) agenda.add(LANE.deliveries, nextAtUs, callback.id, 'deliver', callback)
  if (!repeated) callback.state = accepted ? 'delivered' : againUs === null ? 'failed' : 'pending'
  if (callback.state === 'delivered' && !fault?.together && number < (fault?.duplicate ?? 1)) {
    nextAtUs = nowUs
    agenda.add(LANE.deliveries, nextAtUs, callback.id, REPEAT, callback)
  }
  // No stamp: answers come in whatever order receivers give them, and must not shift the stamps of records.
  if (!repeated) callback.settledAtUs = callback.state === 'pending' ? null : Math.max(nowUs, callback.createdAtUs)
  callbacks.save(callback)
  emitCallbackEvent(core, callback, nextAtUs, { ...attempt, number })
  releaseHeld(core, callback)
  return callback
}

/** Callbacks to the same address that waited for this one to go. */
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

/** An operator wants it told again, whatever became of it. */
export function redeliver(core: Core, { callbackId }: Command<'redeliver'>): Result<'redeliver'> {
  const { agenda, callbacks } = core.store
  const callback = callbacks.byId(callbackId)
  if (!callback) throw refused(commonReasons.nothingThere, `no callback has the id ${callbackId}`)
  callback.state = 'pending'
  callback.settledAtUs = null
  agenda.cancel(LANE.deliveries, callback.id, callback)
  agenda.add(LANE.deliveries, core.clock.now(), callback.id, 'deliver', callback)
  callbacks.save(callback)
  emitCallbackEvent(core, callback, core.clock.now())
  return callback
}
