import { setup } from 'xstate'
import { delays, effects, guards, type LifecycleContext } from './vocabulary.ts'

const begin = () =>
  setup({ types: { context: {} as LifecycleContext, input: {} as LifecycleContext }, delays, guards, actions: effects })

/** A bank collection: the service only ever shows money that has arrived. */
export const bankCollectionMachine = begin().createMachine({
  id: 'bank-collection',
  context: ({ input }) => input,
  initial: 'SUCCESS',
  states: { SUCCESS: { entry: ['collect', 'notify'] } },
})

/** An allocation or de-allocation: both wallets change at once; an allocation can be cancelled later. */
export function allocationMachine(id: string) {
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
