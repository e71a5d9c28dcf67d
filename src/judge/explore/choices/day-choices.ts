/** Events at a step of the day, before it or at the same time. */
import * as z from 'zod'
import type { CalendarEnd } from '../day.ts'
import { choiceRecord } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'

const PASSES = ['20s', '15m', '2h', '25h']
const ENDS: readonly CalendarEnd[] = ['day', 'month']

export const restartChoice = choiceRecord({
  fields: { step: nthSchema },
  slot: ({ step }) => `${step}`,
  sort: () => '',
  risk: () => 'crashes',
  story: ({ step }) => `before step ${step} the app dies at rest, and is started again`,
  met: () => true,
  about: () => undefined,
  offers: { forDay: ({ steps }) => steps.map(({ number }) => ({ step: number })) },
  effects: { before: (_, hands) => hands.restartApp() },
  race: 'ends',
})

/** The service itself ends, and is started again on its own data. */
export const restartServiceChoice = choiceRecord({
  fields: { step: nthSchema },
  slot: ({ step }) => `${step}`,
  sort: () => '',
  risk: () => 'crashes',
  story: ({ step }) => `before step ${step} the service dies at rest, and is started again`,
  met: () => true,
  about: () => undefined,
  offers: { forDay: ({ steps }) => steps.map(({ number }) => ({ step: number })) },
  effects: { before: (_, hands) => hands.restartService() },
})

export const actChoice = choiceRecord({
  fields: { step: nthSchema, act: z.string() },
  slot: ({ step }) => `${step}`,
  sort: () => '',
  risk: () => 'repeats',
  story: ({ step, act }) => `before step ${step} somebody does ${act} once more`,
  met: () => true,
  about: () => undefined,
  moreActs: () => 1,
  offers: {
    forDay: ({ steps, merchant }) =>
      steps.flatMap(({ number }) => merchant.acts.map(({ name }) => ({ step: number, act: name }))),
  },
  effects: { before: ({ act }, hands) => hands.act(act) },
})

export const passChoice = choiceRecord({
  fields: { step: nthSchema, by: z.string() },
  slot: ({ step }) => `${step}`,
  sort: ({ by }) => by,
  risk: () => 'lateness',
  story: ({ step, by }) => `before step ${step} ${by} go by`,
  met: () => true,
  about: () => undefined,
  offers: {
    forDay: ({ steps }) => steps.flatMap(({ number }) => PASSES.map((by) => ({ step: number, by }))),
  },
  effects: { before: ({ by }, hands) => hands.pass(by) },
})

/** The step begins just before midnight, or the end of a month, and what follows from it comes after. */
export const passUntilChoice = choiceRecord({
  fields: { step: nthSchema, end: z.enum(['day', 'month']) },
  slot: ({ step }) => `${step}`,
  sort: ({ end }) => end,
  risk: () => 'lateness',
  story: ({ step, end }) => `step ${step} begins two seconds before the ${end} ends`,
  met: () => true,
  about: () => undefined,
  offers: {
    forDay: ({ steps }) =>
      steps.flatMap(({ step, number }) => (typeof step === 'object' ? ENDS.map((end) => ({ step: number, end })) : [])),
  },
  effects: { before: ({ end }, hands) => hands.passUntil(end) },
})

/** Something is done at the same time as a step: an act, or else the app's own work. */
export const besideChoice = choiceRecord({
  fields: { step: nthSchema, act: z.string().optional() },
  slot: ({ step }) => `${step}`,
  sort: ({ act }) => (act === undefined ? '' : 'act'),
  risk: () => 'order',
  story: ({ step, act }) =>
    act === undefined
      ? `at step ${step} the app's own work is done at the same time`
      : `at step ${step} somebody does ${act} at the same time`,
  met: () => true,
  about: () => undefined,
  moreActs: ({ act }) => (act === undefined ? 0 : 1),
  offers: {
    forDay: ({ steps, merchant }) =>
      steps.flatMap(({ step, number }) => [
        ...(merchant.tick && step !== 'settle' ? [{ step: number }] : []),
        ...(typeof step === 'object' ? merchant.acts.map(({ name }) => ({ step: number, act: name })) : []),
      ]),
  },
  // The second of two is over first: the first then writes down what it knew before there was a second.
  effects: { beside: ({ act }) => ({ act }), order: () => 'newest-first' },
  race: 'is',
})
