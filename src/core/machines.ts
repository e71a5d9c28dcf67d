/** Lifecycles that kinds of payment share, and the words that all machines use: what they know, wait for, ask and want done. */
import { setup } from 'xstate'

/** All that a machine may look at; it comes from the payment's plan. */
export interface LifecycleContext {
  /** The plan ends it in a success. */
  endsWell: boolean
}

/** Effects are data: the engine carries them out (`engine/effects.ts`). */
export const effectNames = ['reserve', 'post', 'void', 'reverse', 'collect', 'allocate', 'notify'] as const

export type EffectName = (typeof effectNames)[number]

/** Named waits; how long each is for one payment, the engine reads from its plan. Null: it never happens by itself. */
export const delayNames = ['settle', 'revise', 'autopay', 'autoprompt', 'prompt', 'unanswered', 'expire'] as const

export type DelayName = (typeof delayNames)[number]

const nothing = () => {}

export const effects = {
  /** Speak for the payer's money. */
  reserve: nothing,
  /** The reserved money moves. */
  post: nothing,
  /** The reserved money is let go. */
  void: nothing,
  /** What was posted goes back. */
  reverse: nothing,
  /** Money comes in at once. */
  collect: nothing,
  /** Money moves between two wallets at once. */
  allocate: nothing,
  /** Tell the merchant. */
  notify: nothing,
} satisfies Record<EffectName, () => void>

// The machines only name their waits; the number is a place holder that nothing runs on.
export const delays = {
  settle: 1,
  revise: 1,
  autopay: 1,
  autoprompt: 1,
  prompt: 1,
  unanswered: 1,
  expire: 1,
} satisfies Record<DelayName, number>

export const guards = {
  endsWell: ({ context }: { context: LifecycleContext }) => context.endsWell,
}

const begin = () =>
  setup({ types: { context: {} as LifecycleContext, input: {} as LifecycleContext }, delays, guards, actions: effects })

/** Money that has arrived: the service shows it only then. */
export function arrivalMachine(id: string) {
  return begin().createMachine({
    id,
    context: ({ input }) => input,
    initial: 'SUCCESS',
    states: { SUCCESS: { entry: ['collect', 'notify'] } },
  })
}

/** Money between two wallets, which change at once; it can be cancelled later. */
export function transferMachine(id: string) {
  return begin().createMachine({
    id,
    context: ({ input }) => input,
    initial: 'SUCCESS',
    states: {
      SUCCESS: { entry: 'allocate', on: { CANCEL: { target: 'CANCELLED', actions: 'reverse' } } },
      CANCELLED: {},
    },
  })
}

/**
 * A payout: the money is spoken for when it is asked for, moves when the rail says yes and is let go when it says no.
 * The rail can change its mind once: a success is taken back, or what it called failed turns out to be done. Nothing
 * else leads out of a final state. `asks`: it is asked of a phone, whose holder may leave the prompt unanswered.
 */
export function payoutMachine(id: string, { asks } = { asks: false }) {
  return setup({
    types: { context: {} as LifecycleContext, input: {} as LifecycleContext },
    delays,
    guards,
    actions: effects,
  }).createMachine({
    id,
    context: ({ input }) => input,
    initial: 'PENDING',
    states: {
      PENDING: {
        entry: 'reserve',
        after: {
          settle: [
            { guard: 'endsWell', target: 'SUCCESS', actions: ['post', 'notify'] },
            { target: 'FAILED', actions: ['void', 'notify'] },
          ],
          ...(asks && { unanswered: { target: 'FAILED', actions: ['void', 'notify'] as const } }),
        },
        on: {
          SUCCEED: { target: 'SUCCESS', actions: ['post', 'notify'] },
          FAIL: { target: 'FAILED', actions: ['void', 'notify'] },
        },
      },
      SUCCESS: {
        after: { revise: { target: 'FAILED', actions: ['reverse', 'notify'] } },
        on: { REVERSE: { target: 'FAILED', actions: ['reverse', 'notify'] } },
      },
      FAILED: {
        after: { revise: { target: 'SUCCESS', actions: ['post', 'notify'] } },
      },
    },
  })
}
