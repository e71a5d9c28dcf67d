import { type AnyStateMachine, initialTransition, transition } from 'xstate'
import type { PaymentKind } from '../model/payment.ts'
import { checkoutMachine } from './checkout.machine.ts'
import { allocationMachine, bankCollectionMachine } from './instant.machine.ts'
import { payoutMachine } from './payout.machine.ts'
import { type DelayName, type EffectName, effectNames, type LifecycleContext } from './vocabulary.ts'

/** One machine per kind of payment. An STK collection has the states of a payout with the money running the other way. */
export const machines: Record<PaymentKind, AnyStateMachine> = {
  'send-money': payoutMachine('send-money'),
  till: payoutMachine('till'),
  paybill: payoutMachine('paybill'),
  'bank-payout': payoutMachine('bank-payout'),
  'account-verification': payoutMachine('account-verification'),
  stk: payoutMachine('stk', { asks: true }),
  'bank-collection': bankCollectionMachine,
  checkout: checkoutMachine,
  allocation: allocationMachine('allocation'),
  'de-allocation': allocationMachine('de-allocation'),
}

/** States that a payment leaves again, by time or by somebody. */
export const openStates = ['PENDING', 'REQUIRES_CUSTOMER_ACTION', 'PROCESSING'] as const

/** What a transition wants done, as data. */
export type Effect = { do: EffectName } | { wait: DelayName; event: string } | { cancel: string }

/** Where an event leads. */
export interface Step {
  status: string
  effects: readonly Effect[]
}

/**
 * XState machines as pure functions. A transition depends on nothing but machine, state, event and the context's few
 * values, so each is computed by XState once and remembered: a million payments take the same dozen steps.
 */
const remembered = new Map<string, Step | null>()

/** The first state of a payment and what entering it asks for. */
export function start(kind: PaymentKind, context: LifecycleContext): Step {
  return remember(`${kind}|${context.endsWell}`, () => {
    const [snapshot, actions] = initialTransition(machines[kind], context)
    return toStep(snapshot, actions)
  }) as Step
}

/** What an event does in a state; undefined when the state does not accept it. An event is refused, never ignored. */
export function step(kind: PaymentKind, status: string, event: string, context: LifecycleContext): Step | undefined {
  return (
    remember(`${kind}|${context.endsWell}|${status}|${event}`, () => {
      const machine = machines[kind]
      const snapshot = machine.resolveState({ value: status, context })
      if (!snapshot.can({ type: event })) return null
      const [next, actions] = transition(machine, snapshot, { type: event })
      return toStep(next, actions)
    }) ?? undefined
  )
}

/** The events that a state accepts from outside, with the state each leads to. Waits are not among them. */
export function legalEvents(kind: PaymentKind, status: string): { event: string; leadsTo: string }[] {
  const node = machines[kind].states[status]
  if (!node) return []
  return [...node.ownEvents]
    .filter((event) => !event.startsWith('xstate.'))
    .map((event) => ({ event, leadsTo: step(kind, status, event, { endsWell: true })?.status ?? status }))
}

/** Every state of a kind, in the order of its machine. */
export function statesOf(kind: PaymentKind): string[] {
  return Object.keys(machines[kind].states)
}

/** The agenda event of a state's named wait; undefined when the state does not wait for it. */
export function eventOfWait(kind: PaymentKind, status: string, wait: DelayName): string | undefined {
  return machines[kind].states[status]?.ownEvents.find((event) => waitOf(event) === wait)
}

/** The name of the wait that an agenda event stands for. */
export function waitOf(event: string): DelayName | undefined {
  return event.startsWith('xstate.after.') ? (event.split('.')[2] as DelayName) : undefined
}

function remember(key: string, compute: () => Step | null): Step | null {
  let known = remembered.get(key)
  if (known === undefined) {
    known = compute()
    remembered.set(key, known)
  }
  return known
}

interface ScheduledAction {
  type: string
  params?: unknown
}

function toStep(snapshot: { value: unknown }, actions: readonly ScheduledAction[]): Step {
  const effects = actions.map((action): Effect => {
    if (action.type === 'xstate.raise') {
      const event = (action.params as { event: { type: string } }).event.type
      return { wait: waitOf(event) as DelayName, event }
    }
    if (action.type === 'xstate.cancel') return { cancel: (action.params as { sendId: string }).sendId }
    if (effectNames.some((name) => name === action.type)) return { do: action.type as EffectName }
    throw new Error(`A machine asks for "${action.type}", which the engine does not know`)
  })
  return { status: snapshot.value as string, effects }
}
