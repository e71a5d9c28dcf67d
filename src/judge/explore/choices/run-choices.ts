/** What holds for a whole run. */
import * as z from 'zod'
import { choiceRecord } from './choice-record.ts'

/** Every answer waits until the app has nothing else to do; of several that wait, the oldest goes first, or the newest. */
export const answersChoice = choiceRecord({
  fields: { as: z.enum(['oldest-first', 'newest-first']) },
  slot: () => '',
  sort: ({ as }) => as,
  story: ({ as }) => `answers wait until the app has nothing else to do, and then come ${as.replace('-', ' ')}`,
  met: () => true,
  about: () => undefined,
  offers: {
    forDay: () => [{ as: 'newest-first' as const }, { as: 'oldest-first' as const }],
  },
  effects: { order: ({ as }) => as },
})

/** Callbacks with PENDING are sent too. */
export const tellPendingChoice = choiceRecord({
  fields: {},
  slot: () => '',
  sort: () => '',
  story: () => 'callbacks are also sent about payments that are PENDING',
  met: () => true,
  about: () => undefined,
  offers: { forDay: ({ told }) => (told.length > 0 ? [{}] : []) },
  effects: {
    settings: () => ({
      // So that the answer to the request is certainly there first.
      callbackFaults: [{ name: 'told a moment later', on: 'any', then: { delay: '2s' } }],
      assumptions: { 'final-callback': 'pending-too' },
    }),
  },
})
