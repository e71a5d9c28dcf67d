/** The lifecycle of a payment that a rail works on: payouts, and collections with the money running the other way. */
import { setup } from 'xstate'
import { delays, effects, guards, type LifecycleContext } from './machine-words.ts'

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
