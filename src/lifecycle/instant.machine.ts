/** Lifecycles of payments that are over at once. */
import { setup } from 'xstate'
import { delays, effects, guards, type LifecycleContext } from './machine-words.ts'

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
