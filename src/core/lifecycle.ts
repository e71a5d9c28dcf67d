import { type AnyStateMachine, initialTransition, setup, transition } from 'xstate'
import { madeOnce, must, recordFor } from './model/must.ts'

interface LifecycleContext {
  endsWell: boolean
}

const effectNames = ['reserve', 'post', 'void', 'reverse', 'move', 'notify'] as const

type EffectName = (typeof effectNames)[number]

/** The engine reads from a payment's plan how long each wait takes. Null: it never ends by itself. */
export const delayNames = ['settle', 'revise', 'autopay', 'autoprompt', 'prompt', 'unanswered', 'expire'] as const

export type DelayName = (typeof delayNames)[number]

/** The parts of each machine, which only names its effects and waits: nothing runs on these place holders. */
export function lifecycle() {
  return setup({
    types: { context: {} as LifecycleContext, input: {} as LifecycleContext },
    delays: recordFor(delayNames, () => 1),
    guards: { endsWell: ({ context }) => context.endsWell },
    actions: recordFor(effectNames, () => () => {}),
  })
}

export interface Living {
  readonly machine: AnyStateMachine
}

export const openStates = ['PENDING', 'REQUIRES_CUSTOMER_ACTION', 'PROCESSING'] as const

export function isOpen(status: string): boolean {
  return openStates.some((open) => open === status)
}

export const failedStates = ['FAILED', 'EXPIRED', 'CANCELLED'] as const

export function isFailed(status: string): boolean {
  return failedStates.some((failed) => failed === status)
}

export function isPaid(status: string): boolean {
  return status === 'SUCCESS' || status === 'SUCCEEDED'
}

export type Effect = { do: EffectName } | { wait: DelayName } | { cancel: DelayName }

export interface LifecycleStep {
  status: string
  effects: readonly Effect[]
}

/**
 * XState computes each transition once, because it depends only on machine, state, event and a few context values: a
 * million payments take the same dozen steps. Without, one that falls due takes three quarters more processor time.
 */
const stepsOf = madeOnce((_: AnyStateMachine) => new Map<string, LifecycleStep | null>())

export function start({ machine }: Living, context: LifecycleContext): LifecycleStep {
  return must(
    remember(machine, `${context.endsWell}`, () => {
      const [snapshot, actions] = initialTransition(machine, context)
      return toStep(snapshot, actions)
    }),
  )
}

/**
 * Undefined when the state does not accept the event: an event is refused, never ignored. That a wait is over is an
 * event of its name; itself it is not cancelled.
 */
export function step(
  { machine }: Living,
  status: string,
  event: string,
  context: LifecycleContext,
): LifecycleStep | undefined {
  return (
    remember(machine, `${context.endsWell} ${status} ${event}`, () => {
      const type = isWait(event) ? machine.states[status]?.ownEvents.find((own) => waitOf(own) === event) : event
      const snapshot = machine.resolveState({ value: status, context })
      if (type === undefined || !snapshot.can({ type })) return null
      const [next, actions] = transition(machine, snapshot, { type })
      const { effects, ...step } = toStep(next, actions)
      return { ...step, effects: effects.filter((effect) => !('cancel' in effect && effect.cancel === event)) }
    }) ?? undefined
  )
}

export function eventsOf({ machine }: Living, status: string): string[] {
  return [...(machine.states[status]?.ownEvents ?? [])].map((event) => waitOf(event) ?? event)
}

export function legalEvents(kind: Living, status: string): { event: string; leadsTo: string }[] {
  return eventsOf(kind, status)
    .filter((event) => !isWait(event))
    .map((event) => ({ event, leadsTo: step(kind, status, event, { endsWell: true })?.status ?? status }))
}

export function statesOf({ machine }: Living): string[] {
  return Object.keys(machine.states)
}

// As machines are declared: a start asks it of every kind, and XState need not have made one of them for it.

function firstState({ machine: { config } }: Living): string {
  return String(config.initial)
}

export function mayWait({ machine: { config } }: Living, status: string, wait: DelayName): boolean {
  return Object.hasOwn(config.states?.[status]?.after ?? {}, wait)
}

/** Instant: it ends as soon as it begins, because there is no delay and no way to fail. */
export function isInstant(kind: Living): boolean {
  return !isOpen(firstState(kind))
}

/** Whether a rail works on it from the beginning, so that it ends by itself. */
export function waitsForRail(kind: Living): boolean {
  return mayWait(kind, firstState(kind), 'settle')
}

export function isRevisable(kind: Living): boolean {
  return Object.keys(kind.machine.config.states ?? {}).some((status) => mayWait(kind, status, 'revise'))
}

export function isWait(event: string): event is DelayName {
  return delayNames.some((wait) => wait === event)
}

/** XState's own event is `xstate.after.` with the wait and the state, which is also what it cancels. */
function waitOf(event: string): DelayName | undefined {
  const [, wait = ''] = /^xstate\.after\.(\w+)/.exec(event) ?? []
  return isWait(wait) ? wait : undefined
}

function remember(machine: AnyStateMachine, moment: string, compute: () => LifecycleStep | null): LifecycleStep | null {
  const known = stepsOf(machine)
  const step = known.get(moment)
  if (step !== undefined) return step
  const computed = compute()
  known.set(moment, computed)
  return computed
}

interface ScheduledAction {
  type: string
  params?: unknown
}

function toStep(snapshot: { value: unknown }, actions: readonly ScheduledAction[]): LifecycleStep {
  const effects = actions.map((action): Effect => {
    const { event, sendId } = (action.params ?? {}) as { event?: { type: string }; sendId?: string }
    if (event && action.type === 'xstate.raise') return { wait: must(waitOf(event.type)) }
    if (sendId !== undefined && action.type === 'xstate.cancel') return { cancel: must(waitOf(sendId)) }
    const effect = effectNames.find((name) => name === action.type)
    if (effect) return { do: effect }
    throw new Error(`A machine asks for "${action.type}", which the engine does not know`)
  })
  return { status: String(snapshot.value), effects }
}
