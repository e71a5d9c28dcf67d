/** The lifecycle of a checkout session. */
import { setup } from 'xstate'
import { delays, effects, guards, type LifecycleContext } from '../../../core/machines.ts'

/**
 * Reserves nothing, because the customer's money arrives with success. An unanswered prompt fails; a card challenge
 * ends with its session. Cancelling ends the session only under `checkout-cancel`.
 */
export const checkoutMachine = setup({
  types: { context: {} as LifecycleContext, input: {} as LifecycleContext },
  delays,
  guards,
  actions: effects,
}).createMachine({
  id: 'checkout',
  context: ({ input }) => input,
  initial: 'PENDING',
  states: {
    PENDING: {
      after: {
        autopay: 'PROCESSING',
        autoprompt: 'REQUIRES_CUSTOMER_ACTION',
        expire: { target: 'EXPIRED', actions: 'notify' },
      },
      on: {
        PAY_CARD: 'PROCESSING',
        PAY_CARD_CHALLENGE: 'REQUIRES_CUSTOMER_ACTION',
        PAY_MPESA_STK: 'REQUIRES_CUSTOMER_ACTION',
        CANCEL: { target: 'FAILED', actions: 'notify' },
        EXPIRE: { target: 'EXPIRED', actions: 'notify' },
        SUCCEED: { target: 'SUCCEEDED', actions: ['collect', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    REQUIRES_CUSTOMER_ACTION: {
      after: {
        prompt: 'PROCESSING',
        unanswered: { target: 'FAILED', actions: 'notify' },
        expire: { target: 'EXPIRED', actions: 'notify' },
      },
      on: {
        CONFIRM: 'PROCESSING',
        EXPIRE: { target: 'EXPIRED', actions: 'notify' },
        SUCCEED: { target: 'SUCCEEDED', actions: ['collect', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    PROCESSING: {
      after: {
        settle: [
          { guard: 'endsWell', target: 'SUCCEEDED', actions: ['collect', 'notify'] },
          { target: 'FAILED', actions: 'notify' },
        ],
      },
      on: {
        SUCCEED: { target: 'SUCCEEDED', actions: ['collect', 'notify'] },
        FAIL: { target: 'FAILED', actions: 'notify' },
      },
    },
    SUCCEEDED: {},
    FAILED: {},
    EXPIRED: {},
  },
})
