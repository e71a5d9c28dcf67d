/** Choices that hold for a whole run. */
import * as z from 'zod'
import { waitsForRail } from '../../../core/lifecycle.ts'
import { keysIn } from '../../../core/model/must.ts'
import { paymentsService } from '../../../service/service.ts'
import { choiceRecord } from './choice-record.ts'
import { kindSchema } from './choice-schemas.ts'

/** Every answer waits until the app has nothing else to do; of several that wait, the oldest goes first, or the newest. */
export const answersChoice = choiceRecord({
  fields: { as: z.enum(['oldest-first', 'newest-first']) },
  slot: () => '',
  sort: ({ as }) => as,
  risk: () => 'order',
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
  risk: () => 'surprises',
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

/** Operations whose answers depend on whether lists have pages. */
const lists: ReadonlySet<string> = new Set(paymentsService.assumptions['list-pages']?.touches.operations)

/** Lists are cut into pages. */
export const pagesChoice = choiceRecord({
  fields: {},
  slot: () => '',
  sort: () => '',
  risk: () => 'surprises',
  story: () => 'lists show twenty records, and page asks for more',
  met: () => true,
  about: () => undefined,
  offers: { forDay: ({ requests }) => (requests.some(({ operation }) => lists.has(operation)) ? [{}] : []) },
  effects: { settings: () => ({ assumptions: { 'list-pages': 'twenty' } }) },
})

/** Fates of payments while their rail is shut, as a maintenance window has it. */
const windows = {
  refuse: 'requests for it are answered 503',
  hold: 'it is accepted, and worked on afterwards',
  fail: 'it is accepted, and fails',
} as const
/** From before an ordinary day begins, until most of what happens at once is over. */
const SHUT = 'FRI 12:00..SAT 06:00'

/** The rail of a kind of payment is shut as the day begins. */
export const maintenanceChoice = choiceRecord({
  fields: { kind: kindSchema, as: z.enum(keysIn(windows)) },
  slot: ({ kind }) => kind,
  sort: ({ as }) => as,
  risk: () => 'refusals',
  story: ({ kind, as }) => `the rail of ${kind} is shut for maintenance until the next morning: ${windows[as]}`,
  met: () => true,
  about: () => undefined,
  offers: {
    forDay: ({ requests }) => {
      const kinds = new Set(requests.flatMap(({ opens }) => opens ?? []))
      return [...kinds]
        .filter((kind) => waitsForRail(paymentsService.kinds.of(kind)))
        .flatMap((kind) => keysIn(windows).map((as) => ({ kind, as })))
    },
  },
  effects: {
    settings: ({ kind, as }) => ({
      maintenance: [{ name: `maintenance of ${kind}`, on: [kind], every: SHUT, then: as }],
    }),
  },
})
