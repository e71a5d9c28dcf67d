import * as z from 'zod'
import { waitsForRail } from '../../../core/lifecycle.ts'
import { DAY_US, localTime, startOfDay, type Zone } from '../../../core/model/calendar.ts'
import { keysIn } from '../../../core/model/must.ts'
import { type InstantUs, SECOND_US } from '../../../core/model/time.ts'
import { paymentsService } from '../../../service/service.ts'
import { choiceRecord, kindSchema, nthSchema } from './choice-record.ts'

const PASSES = ['20s', '15m', '2h', '25h']
const ENDS = ['day', 'month'] as const

export const restartServiceChoice = choiceRecord({
  fields: { step: nthSchema },
  risk: () => 'crashes',
  story: ({ step }) => `before step ${step} the service dies at rest, and is started again`,
  offersForDay: ({ steps }) => steps.map(({ number }) => ({ step: number })),
  before: (_, hands) => hands.restartService(),
})

export const actChoice = choiceRecord({
  fields: { step: nthSchema, act: z.string() },
  risk: () => 'repeats',
  story: ({ step, act }) => `before step ${step} somebody does ${act} once more`,
  offersForDay: ({ steps, merchant }) =>
    steps.flatMap(({ number }) => merchant.acts.map(({ name }) => ({ step: number, act: name }))),
  before: ({ act }, hands) => hands.act(act),
})

export const passChoice = choiceRecord({
  fields: { step: nthSchema, by: z.string() },
  sort: ({ by }) => by,
  risk: () => 'lateness',
  story: ({ step, by }) => `before step ${step} ${by} go by`,
  offersForDay: ({ steps }) => steps.flatMap(({ number }) => PASSES.map((by) => ({ step: number, by }))),
  before: ({ by }, hands) => hands.pass(by),
})

export const passUntilChoice = choiceRecord({
  fields: { step: nthSchema, end: z.enum(['day', 'month']) },
  sort: ({ end }) => end,
  risk: () => 'lateness',
  story: ({ step, end }) => `step ${step} begins two seconds before the ${end} ends`,
  offersForDay: ({ steps }) =>
    steps.flatMap(({ step, number }) => (typeof step === 'object' ? ENDS.map((end) => ({ step: number, end })) : [])),
  before: ({ end }, hands) => hands.passUntil(end),
})

export const besideChoice = choiceRecord({
  fields: { step: nthSchema, act: z.string().optional() },
  sort: ({ act }) => (act === undefined ? '' : 'act'),
  risk: () => 'order',
  story: ({ step, act }) =>
    act === undefined
      ? `at step ${step} the app's own work is done at the same time`
      : `at step ${step} somebody does ${act} at the same time`,
  offersForDay: ({ steps, merchant }) =>
    steps.flatMap(({ step, number }) => [
      ...(merchant.tick && step !== 'settle' ? [{ step: number }] : []),
      ...(typeof step === 'object' ? merchant.acts.map(({ name }) => ({ step: number, act: name })) : []),
    ]),
  // The second of two is over first: the first then writes down what it knew before there was a second.
  beside: ({ act = '' }) => act,
  order: () => 'newest-first',
  race: 'is',
})

/** Every answer waits until the app has nothing else to do; of several that wait, the oldest goes first, or the newest. */
export const answersChoice = choiceRecord({
  fields: { as: z.enum(['oldest-first', 'newest-first']) },
  risk: () => 'order',
  story: ({ as }) => `answers wait until the app has nothing else to do, and then come ${as.replace('-', ' ')}`,
  offersForDay: () => [{ as: 'newest-first' as const }, { as: 'oldest-first' as const }],
  order: ({ as }) => as,
})

export const tellPendingChoice = choiceRecord({
  fields: {},
  risk: () => 'surprises',
  story: () => 'callbacks are also sent about payments that are PENDING',
  offersForDay: ({ told }) => (told.length > 0 ? [{}] : []),
  settings: () => ({
    // So that the answer to the request is certainly there first.
    callbackFaults: [{ name: 'told a moment later', on: 'any', then: { delay: '2s' } }],
    assumptions: { 'final-callback': 'pending-too' },
  }),
})

const lists: ReadonlySet<string> = new Set(paymentsService.assumptions['list-pages']?.touches.operations)

export const pagesChoice = choiceRecord({
  fields: {},
  risk: () => 'surprises',
  story: () => 'lists show twenty records, and page asks for more',
  offersForDay: ({ requests }) => (requests.some(({ operation }) => lists.has(operation)) ? [{}] : []),
  settings: () => ({ assumptions: { 'list-pages': 'twenty' } }),
})

/** Fates of payments while their rail is shut, as a maintenance window has it. */
const windows = {
  refuse: 'requests for it are answered 503',
  hold: 'it is accepted, and worked on afterwards',
  fail: 'it is accepted, and fails',
} as const
/** From before an ordinary day begins, until most of what happens at once is over. */
const SHUT = 'FRI 12:00..SAT 06:00'

export const maintenanceChoice = choiceRecord({
  fields: { kind: kindSchema, as: z.enum(keysIn(windows)) },
  risk: () => 'refusals',
  story: ({ kind, as }) => `the rail of ${kind} is shut for maintenance until the next morning: ${windows[as]}`,
  offersForDay: ({ requests }) => {
    const kinds = new Set(requests.flatMap(({ opens }) => opens ?? []))
    return [...kinds]
      .filter((kind) => waitsForRail(paymentsService.kinds.of(kind)))
      .flatMap((kind) => keysIn(windows).map((as) => ({ kind, as })))
  },
  settings: ({ kind, as }) => ({
    maintenance: [{ name: `maintenance of ${kind}`, on: [kind], every: SHUT, then: as }],
  }),
})

export const twiceChoice = choiceRecord({
  fields: { kind: kindSchema, nth: nthSchema },
  risk: () => 'repeats',
  story: ({ kind, nth }) => `${kind} ${nth}: the service executes the one request twice`,
  offersForPayment: ({ kind, nth }) => [{ kind, nth }],
  plan: (_, planned) => ({ ...planned, twice: true }),
})

const BEFORE_US = 2 * SECOND_US

/** Two seconds before it; the next one, where it is nearer than that. */
export function justBefore(end: (typeof ENDS)[number], nowUs: InstantUs, { offsetUs }: Zone): InstantUs {
  let atUs = startOfDay(nowUs + BEFORE_US, offsetUs) + DAY_US
  while (end === 'month' && localTime(atUs, offsetUs).dayOfMonth !== 1) atUs += DAY_US
  return atUs - BEFORE_US
}
