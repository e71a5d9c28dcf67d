/**
 * What would happen to a payment, step by step, without anything domain event: the plan is walked through the payment's
 * machine with the waits that the engine would keep, and each callback through the policy that the deliverer would keep.
 */
import { type Effect, start, step } from '../lifecycle/lifecycle.ts'
import { textOf } from '../model/as-text.ts'
import type { Kind } from '../model/kind.ts'
import type { Plan } from '../model/payment.ts'
import type { InstantUs } from '../model/time.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { previewCallback } from './preview-callbacks.ts'
import { endingEvent, endsWell, isWait, waitOfPayment } from './rails.ts'

export type Party = 'merchant' | 'mfano' | 'rail'

/** One arrow of the sequence, or a note over one party. */
export interface PreviewStep {
  atUs: InstantUs
  from: Party
  /** The same as `from`: something that a party does by itself. */
  to: Party
  what: string
  /** It only happens if this is so. */
  only?: string
}

export interface PreviewInput {
  kind: Kind
  plan: Plan
  nowUs: InstantUs
  /** What the caller is told at once. */
  answer: readonly PreviewStep[]
  scenario: Pick<Scenario, 'assumptions' | 'callbacks'>
  /** The merchant named an address for callbacks. */
  callback: boolean
  /** There is an amount to move. */
  moves: boolean
  /** The wallet can pay when the end comes. */
  funded: boolean
}

/** Longer than any machine can go on. */
const MOST_STEPS = 20
/** Everything from the service's answer on, in order of world time. */
export function preview({ kind, plan, nowUs, answer, scenario, callback, moves, funded }: PreviewInput): PreviewStep[] {
  const steps: PreviewStep[] = []
  const due = new Map<string, InstantUs>()
  const context = { endsWell: endsWell(plan.end) && funded }
  const later = kind.direction !== 'in' && scenario.assumptions['funds-check'] === 'at-settlement'
  let { status, effects } = start(kind, { endsWell: endsWell(plan.end) })
  let atUs = nowUs
  let told = 0
  const tell = () => {
    if (callback) steps.push(...previewCallback({ scenario, fault: plan.callback, status, atUs, first: told++ === 0 }))
  }
  const carryOut = (asked: readonly Effect[]) => {
    for (const effect of asked) {
      if ('wait' in effect) {
        const afterUs = waitOfPayment({ plan, status }, effect.wait)
        if (afterUs !== null) due.set(effect.event, atUs + afterUs)
      } else if ('cancel' in effect) due.delete(effect.cancel)
      else if (effect.do === 'notify') {
        tell()
      } else if (moves && !(later && (effect.do === 'reserve' || effect.do === 'void')))
        steps.push({ atUs, from: 'mfano', to: 'mfano', what: money[effect.do] })
    }
  }
  carryOut(effects)
  // With a read that ends it there is nothing to wait for but the merchant.
  const read = plan.untilPoll === undefined ? undefined : endingEvent(kind, { status, plan })
  if (read !== undefined) due.set(read, atUs + (plan.payAfterUs ?? 0))
  // Where its float is short, all that follows depends on somebody who tops it up.
  const topUp = plan.untilFunded ? `the float "${plan.float}" is topped up at once` : undefined
  const settles = topUp === undefined || plan.afterUs === null ? undefined : endingEvent(kind, { status, plan })
  if (settles !== undefined && plan.afterUs !== null) due.set(settles, atUs + plan.afterUs)
  const early = plan.callback?.early === true && plan.afterUs === 0
  if (!early) steps.push(...answer)
  if (plan.twice)
    steps.push({ atUs, from: 'mfano', to: 'mfano', what: 'makes a second payment, which goes the same way' })
  if (status === 'PENDING' && scenario.assumptions['final-callback'] === 'pending-too') tell()
  if (topUp !== undefined)
    steps.push({ atUs, from: 'mfano', to: 'mfano', what: `waits until the float "${plan.float}" holds the amount` })
  const certain = steps.length

  for (let taken = 0; taken < MOST_STEPS && due.size > 0; taken++) {
    const [event, dueAtUs] = [...due].reduce((first, other) => (other[1] < first[1] ? other : first))
    due.delete(event)
    const next = step(kind, status, event, context)
    if (!next) continue
    atUs = dueAtUs
    status = next.status
    effects = next.effects
    const sets = isWait(event, 'revise') ? plan.revise?.with : plan.with
    const fields = Object.entries(context.endsWell === endsWell(plan.end) ? (sets ?? {}) : {})
    const shown = fields.length > 0 ? ` (${fields.map(([name, value]) => `${name} ${textOf(value)}`).join(', ')})` : ''
    const polled = read === event
    const only = isWait(event, 'expire') ? 'nobody pays on the page' : undefined
    steps.push({
      atUs,
      from: polled ? 'merchant' : 'rail',
      to: 'mfano',
      what: `${polled ? `reads it, and read ${plan.untilPoll} ends it` : (isWait(event) ?? event)}: ${status}${shown}`,
      ...(only !== undefined && { only }),
    })
    carryOut(effects.filter((effect) => !('cancel' in effect && effect.cancel === event)))
    if (early && taken === 0) steps.push(...answer)
  }
  if (steps.every(({ from }) => from === 'mfano') && start(kind, context).status === 'PENDING')
    steps.push({ atUs, from: 'mfano', to: 'mfano', what: `stays ${status} until an operator or a payer acts` })
  if (topUp !== undefined) for (const uncertain of steps.slice(certain)) uncertain.only ??= topUp
  return steps.sort((a, b) => a.atUs - b.atUs)
}

const money: Record<Exclude<Extract<Effect, { do: unknown }>['do'], 'notify'>, string> = {
  reserve: 'reserves the amount',
  post: 'the money moves',
  void: 'lets the reserved amount go',
  reverse: 'takes the money back',
  collect: 'the money comes in',
  allocate: 'moves the money between the wallets',
}
