/** Whether the merchant knows how a payment ended, and if not, why not. */
import { kindOf } from '../engine/core.ts'
import { originOf } from '../engine/file-addresses.ts'
import { zonedText } from '../model/calendar.ts'
import type { Attempt, Callback } from '../model/callback.ts'
import { isUnsent, pluralOf } from '../model/kind.ts'
import type { Payment } from '../model/payment.ts'
import { LANE } from '../store/agenda-table.ts'
import type { World } from '../world/world.ts'
import { moveTime, type Reason } from './reason.ts'

/** What stands worst with its callbacks: given up, then under way, then held back, then dropped. */
export function callbackStatus(
  world: World,
  payment: Payment,
  callbacks: readonly Callback[],
  control: string,
): Reason {
  const find = (state: Callback['state']) => callbacks.findLast((callback) => callback.state === state)
  const failed = find('failed')
  if (failed) return givenUp(world, failed, control)
  const waiting = find('pending') ?? find('held')
  if (waiting) return underWay(world, waiting, control)
  const dropped = find('dropped')
  if (dropped) {
    const by = dropped.fault?.by
    return {
      waitsFor: 'nothing',
      why: `Its merchant was not notified: "${by}" keeps callback ${dropped.id} back.`,
      next: [],
    }
  }
  const last = callbacks.at(-1)
  if (!last) return untold(world, payment, control)
  const at = zonedText(last.settledAtUs ?? last.createdAtUs, world.core.scenario.zone)
  return { waitsFor: 'nothing', why: `Its merchant was notified: callback ${last.id} was received at ${at}.`, next: [] }
}

function givenUp({ core }: World, { id, url, attempts }: Callback, control: string): Reason {
  const last = core.store.callbacks.attemptsOf(id).at(-1)
  return {
    waitsFor: 'receiver',
    why: `Its merchant was not notified: callback ${id} to ${url} was given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. The last one: ${failure(last)}.`,
    next: [...mend(last), `Then send it again: POST ${control}/callbacks/${id}/redeliver`],
  }
}

/** Why a callback has not ended, and when it is sent next. */
export function underWay(world: World, callback: Callback, control: string): Reason {
  const { id, state, attempts, url } = callback
  const { scenario, store } = world.core
  const due = store.agenda.of(LANE.deliveries, id)[0]
  const most = callback.fault?.retry?.attempts ?? scenario.callbacks.attempts
  const held = state === 'held' ? ', or when the next callback to that address has gone' : ''
  const last = attempts === 0 ? undefined : store.callbacks.attemptsOf(id).at(-1)
  const so = last ? ` Attempt ${attempts} of ${most} failed: ${failure(last)}.` : ''
  if (state === 'held' && !due) return heldBack(callback, control)
  if (!due || due.dueAtUs <= world.core.clock.now())
    return { waitsFor: 'receiver', why: `Callback ${id} is on its way to ${url}.${so}`, next: [] }
  const at = zonedText(due.dueAtUs, scenario.zone)
  return {
    waitsFor: last ? 'receiver' : 'time',
    dueAtUs: due.dueAtUs,
    why: `Its merchant is not notified yet: callback ${id} to ${url} is sent at ${at}${held}.${so}`,
    next: [...mend(last), moveTime(world, due.dueAtUs, control)],
  }
}

/** Its address came with a world file. */
function heldBack({ id, url }: Callback, control: string): Reason {
  const from = originOf(url)
  return {
    waitsFor: 'operator',
    why: `Its merchant is not notified yet: callback ${id} is held, because its address ${url} came with a world file, and nobody has said where that goes now.`,
    next: [
      `Let it go there: POST ${control}/callbacks/release {"from":"${from}"}`,
      `Or elsewhere: POST ${control}/callbacks/release {"from":"${from}","to":"http://…"}`,
    ],
  }
}

function failure(attempt: Attempt | undefined): string {
  return `${attempt?.error}${attempt?.diagnosis ? `, because ${attempt.diagnosis.why}` : ''}`
}

/** What the doctor says. */
function mend(attempt: Attempt | undefined): string[] {
  return attempt?.diagnosis ? [attempt.diagnosis.todo] : []
}

/** No callback was ever written. */
function untold({ core }: World, payment: Payment, control: string): Reason {
  const { organisationId } = payment
  const nothing = { waitsFor: 'nothing' as const, next: [] }
  const kind = kindOf(core, payment)
  if (!kind.callback) return { ...nothing, why: `There is no callback about ${pluralOf([kind])}.` }
  const { to, unless } = kind.callback
  if (to === 'request') return { ...nothing, why: 'Nobody was notified: the request named no callbackUrl.' }
  if (isUnsent(kind.callback, core.scenario.assumptions))
    return { ...nothing, why: `Nobody was notified: ${unless?.assumption} is assumed to be ${unless?.is}.` }
  const { uuid } = core.store.organisations.byId(organisationId)
  return {
    ...nothing,
    why: 'Nobody was notified: its organisation had no collectionCallbackUrl.',
    next: [`Set one for the next: PATCH ${control}/organisations/${uuid} {"collectionCallbackUrl":"http://…"}`],
  }
}
