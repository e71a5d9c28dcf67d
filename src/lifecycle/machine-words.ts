/** The words that all machines share: what they know, wait for, ask and want done. */

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
