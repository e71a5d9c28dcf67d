/** Why a payment is where it is, and what would move it on. */
import { type Core, kindOf } from '../engine/core.ts'
import { remaining } from '../engine/floats.ts'
import { endingEvent, isWait } from '../engine/rail-reports.ts'
import { isOpen, legalEvents } from '../lifecycle/lifecycle.ts'
import { zonedText } from '../model/calendar.ts'
import type { Callback } from '../model/callback.ts'
import type { Due } from '../model/due.ts'
import { decimalText, toMajor } from '../model/money.ts'
import type { Payment } from '../model/payment.ts'
import { formatInstant } from '../model/time.ts'
import { LANE } from '../store/agenda-table.ts'
import type { World } from '../world/world.ts'
import { callbackStatus } from './callback-status.ts'
import { moveTime, type Reason } from './reason.ts'
import { reasonOfEnd, reasonText } from './reason-of-end.ts'

/** Looks at what is due, then at who could act, then at what its merchant was told. */
export function stopped(world: World, payment: Payment, callbacks: readonly Callback[], baseUrl: string) {
  const control = `${baseUrl}/_mfano`
  const due = world.core.store.agenda.of(LANE.steps, payment.seq)[0]
  const { dueAtUs, ...reason } = isOpen(payment.status)
    ? (underWay(world, payment, due, baseUrl) ?? stuck(world, payment, control))
    : ended(world, payment, callbacks, due, control)
  return { state: payment.status, ...reason, dueAt: dueAtUs === undefined ? null : formatInstant(dueAtUs) }
}

/** Something is due that ends it or brings it nearer to its end. */
function underWay(world: World, payment: Payment, due: Due | undefined, baseUrl: string): Reason | undefined {
  if (!due) return undefined
  const { dueAtUs } = due
  const at = zonedText(dueAtUs, world.core.scenario.zone)
  const time = moveTime(world, dueAtUs, `${baseUrl}/_mfano`)
  if (isWait(due.event, 'expire')) {
    const url = kindOf(world.core, payment).page?.url(world.core, payment, baseUrl)
    const pays = payment.plan.end === 'EXPIRED' ? 'Nobody is to pay' : 'It waits for somebody to pay on its page'
    return {
      waitsFor: 'payer',
      dueAtUs,
      why: `${pays}; unpaid, it expires at ${at}.`,
      next: [`Pay at ${url}`, time],
    }
  }
  const coming: Partial<Record<NonNullable<ReturnType<typeof isWait>>, string>> = {
    settle: `becomes ${payment.plan.end === 'EXPIRED' ? 'SUCCEEDED' : payment.plan.end}`,
    autopay: 'is paid by itself',
    autoprompt: 'sends its prompt to the phone of the payer',
    prompt: 'is confirmed on the phone of the payer',
    unanswered: 'fails, if nobody answers the prompt on the phone',
  }
  const what = coming[isWait(due.event) ?? 'settle'] ?? 'goes on'
  return { waitsFor: 'time', dueAtUs, why: `It waits for time: it ${what} at ${at}, as planned.`, next: [time] }
}

/** Nothing is due: it stays as it is until somebody acts. */
function stuck({ core }: World, payment: Payment, control: string): Reason {
  const { status, plan, seq, uuid } = payment
  const kind = kindOf(core, payment)
  const ends = legalEvents(kind, status).map(({ leadsTo }) => leadsTo)
  const next = [...new Set(ends)].map(
    (end) => `End it as ${end}: POST ${control}/payments/${uuid}/resolve {"status":"${end}"}`,
  )
  if (core.store.floatQueue.has(seq)) return short(core, payment, control, next)
  if (plan.untilPoll !== undefined && endingEvent(kind, payment) !== undefined) {
    const reads = core.store.counters.current(`reads:${seq}`)
    const left = plan.untilPoll - reads
    return {
      waitsFor: 'reads',
      why: `It waits to be read: the rule "${plan.rule}" ends it with read number ${plan.untilPoll}, and ${reads} came so far.`,
      next: [`Read it ${left} more ${left === 1 ? 'time' : 'times'}, by its id, as your app does`, ...next],
    }
  }
  const why =
    status === 'REQUIRES_CUSTOMER_ACTION'
      ? `It waits for the payer to confirm, which the rule "${plan.rule}" says never happens.`
      : plan.afterUs === null
        ? `It stays ${status} for ever: the rule "${plan.rule}" says that it never ends by itself.`
        : `It stays ${status}: what the rule "${plan.rule}" planned could not be done. The log of mfano says why.`
  return { waitsFor: 'operator', why, next }
}

/** Its rail has not the money for it. */
function short(core: Core, { plan, amountMinor, currency }: Payment, control: string, next: string[]): Reason {
  const name = plan.float as string
  const float = core.scenario.rails.float.find((one) => one.name === name && one.currency === currency)
  const leftMinor = Math.max(0, float ? remaining(core, float) : 0)
  const topUp = JSON.stringify({ name, amount: toMajor(amountMinor - leftMinor) })
  return {
    waitsFor: 'float',
    why: `It waits for the float "${name}", which has ${decimalText(leftMinor)} of ${decimalText(amountMinor)} ${currency}.`,
    next: [`Top it up: POST ${control}/floats/fund ${topUp}`, ...next],
  }
}

/** Its state is final, or lasts until the plan revises it. */
function ended(
  world: World,
  payment: Payment,
  callbacks: readonly Callback[],
  due: Due | undefined,
  control: string,
): Reason {
  const told = callbackStatus(world, payment, callbacks, control)
  const reason = reasonOfEnd(world.core, payment)
  const because = reason ? `${sentence(reasonText(reason))} ` : byHand(payment)
  if (!due) return { ...told, why: `${because}${payment.status} is final. ${told.why}` }
  const at = zonedText(due.dueAtUs, world.core.scenario.zone)
  const why = `${because}${payment.status} is not its last state: by the plan it becomes ${payment.plan.revise?.end} at ${at}. ${told.why}`
  if (told.waitsFor !== 'nothing') return { ...told, why }
  return { waitsFor: 'time', dueAtUs: due.dueAtUs, why, next: [moveTime(world, due.dueAtUs, control)] }
}

/** A good end says only where it is not the scenario's. */
function byHand({ history }: Payment): string {
  return history.all.at(-1)?.by === 'operator' ? 'Forced by hand. ' : ''
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
