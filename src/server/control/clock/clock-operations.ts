/** Operations on a world's clock. */
import * as z from 'zod'
import { presentZone } from '../../../core/model/calendar.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import { type AnswerOf, controlOperation } from '../declared-operation.ts'
import { advancedShape, clockStateShape, settledShape } from './clock-answers.ts'
import { advanceBody, presentAdvance, presentSettle, settleBody, toInstant, untilSettled } from './clock-runs.ts'

const change = z.strictObject({
  mode: z
    .enum(['realtime', 'scaled', 'frozen'], 'must be one of realtime, scaled, frozen')
    .optional()
    .describe('`frozen` moves only when told, `scaled` goes `rate` times as fast, `realtime` is like a wall clock.'),
  rate: z
    .number()
    .gt(0, 'must be greater than 0')
    .max(1_000_000, 'must be at most 1000000')
    .optional()
    .describe('World seconds per real second.'),
})

const readClock = controlOperation('clock.show', {
  method: 'GET',
  path: '/clock',
  summary: 'Show simulated time and the mode of the clock',
  answer: clockStateShape,
  run: (c) => show(c.env.world),
})

const setClock = controlOperation('clock.set', {
  method: 'PATCH',
  path: '/clock',
  summary: 'Change the mode of the clock',
  body: change,
  answer: clockStateShape,
  async run(c, { body }) {
    await c.env.world.perform({ command: 'set-clock', ...body })
    return show(c.env.world)
  },
})

const advanceClock = controlOperation('clock.advance', {
  method: 'POST',
  path: '/clock/advance',
  summary: 'Advance simulated time',
  body: advanceBody,
  answer: advancedShape,
  errors: ['INVALID_EXPRESSION', 'ILLEGAL_TRANSITION'],
  async run(c, { body: asked }) {
    const { world } = c.env
    return presentAdvance(world, asked, await world.runClock({ ...toInstant(world, asked), left: c.req.raw.signal }))
  },
})

const settleClock = controlOperation('clock.settle', {
  method: 'POST',
  path: '/clock/settle',
  summary: 'Advance simulated time until nothing is due',
  body: settleBody,
  answer: settledShape,
  errors: ['INVALID_EXPRESSION'],
  async run(c, { body: asked }) {
    const { world, baseUrl } = c.env
    return presentSettle(
      world,
      asked,
      await world.runClock({ ...untilSettled(world, asked), left: c.req.raw.signal }),
      baseUrl,
    )
  },
})

function show(world: World): AnswerOf<typeof clockStateShape> {
  const { clock } = world.core
  const nextUs = world.timekeeper.nextDueUs()
  return {
    mode: clock.mode,
    rate: clock.rate,
    now: isoInstant(clock.now()),
    nextDue: nextUs === undefined ? null : isoInstant(nextUs),
    timezone: presentZone(world.core.scenario.zone),
  }
}

export const clockOperations = [readClock, setClock, advanceClock, settleClock] as const
