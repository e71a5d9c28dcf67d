/** Lifecycles that kinds of payment share, and the words of all machines: context, waits, guards and effects. */
import { setup } from 'xstate'

export interface LifecycleContext {
  endsWell: boolean
}

export const effectNames = ['reserve', 'post', 'void', 'reverse', 'collect', 'allocate', 'notify'] as const

export type EffectName = (typeof effectNames)[number]

/** The engine reads from a payment's plan how long each wait takes. Null: it never ends by itself. */
export const delayNames = ['settle', 'revise', 'autopay', 'autoprompt', 'prompt', 'unanswered', 'expire'] as const

export type DelayName = (typeof delayNames)[number]

const nothing = () => {}

export const effects = {
  reserve: nothing,
  post: nothing,
  void: nothing,
  reverse: nothing,
  collect: nothing,
  allocate: nothing,
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

/** Only their types count. */
const types: { context: LifecycleContext; input: LifecycleContext } = {
  context: { endsWell: true },
  input: { endsWell: true },
}

const begin = () => setup({ types, delays, guards, actions: effects })

/** Incoming money, which the service shows only once it has arrived. */
export function arrivalMachine(id: string) {
  return begin().createMachine({
    id,
    context: ({ input }) => input,
    initial: 'SUCCESS',
    states: { SUCCESS: { entry: ['collect', 'notify'] } },
  })
}

/** Money between two wallets, which change at once. It can be cancelled later. */
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
 * A payout reserves money at once, and posts or releases it as the rail decides. The rail can revise a final state
 * once: a success is taken back, or a failure turns out as done. `asks`: a phone's holder is asked, who may leave the
 * prompt unanswered.
 */
export function payoutMachine(id: string, { asks } = { asks: false }) {
  return setup({
    types,
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
