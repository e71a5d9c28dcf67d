/** The command that decides where callbacks of an imported world go. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { emitCallbackEvent } from '../../emit-events.ts'
import { originOf } from '../../model/inbox-address.ts'
import { commonReasons, refused } from '../../model/refusal-reasons.ts'
import { type CallbackRoutes, callbackRoutes, keepCallbackRoutes, route } from '../file-addresses.ts'
import { addDelivery } from '../outbox.ts'

export function releaseCallbacks(
  core: Core,
  { from, to }: Command<'release-callbacks'>,
): CommandResult<'release-callbacks'> {
  const routes = callbackRoutes(core.store)
  const origin = from === undefined ? undefined : originOf(from)
  const origins = (routes?.held ?? []).filter((one) => origin === undefined || one === origin)
  if (!routes || origins.length === 0) throw refused(commonReasons.nothingThere, nothingHeld(routes, from))
  const held = routes.held.filter((one) => !origins.includes(one))
  const others = routes.rewritten.filter((one) => !origins.includes(one.from))
  const rewritten = to === undefined ? others : [...others, ...origins.map((one) => ({ from: one, to }))]
  const said = { ...routes, held, rewritten }
  keepCallbackRoutes(core.store, said)
  return { released: release(core, said) }
}

function release(core: Core, routes: CallbackRoutes): number {
  const { callbacks } = core.store
  const nowUs = core.clock.now()
  let released = 0
  for (const callback of callbacks.heldBack()) {
    const now = route(routes, callback.url)
    if (now.held) continue
    callback.url = now.url
    callback.state = 'pending'
    // A fault that makes it late still does.
    const lateUs = callback.attempts === 0 ? (callback.fault?.delayUs ?? 0) : 0
    const dueAtUs = Math.max(nowUs, callback.createdAtUs + lateUs)
    addDelivery(core, callback, dueAtUs)
    callbacks.readdress(callback)
    emitCallbackEvent(core, callback, dueAtUs)
    released++
  }
  return released
}

function nothingHeld(routes: CallbackRoutes | undefined, from: string | undefined): string {
  const held = routes?.held ?? []
  if (held.length === 0) return 'nothing is held: no file brought an address that somebody has not spoken of'
  return `from: nothing is held for ${from}; what is held is for ${held.join(', ')}`
}
