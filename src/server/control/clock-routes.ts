/** Routes: the clock of a world. */
import { Hono } from 'hono'
import * as z from 'zod'
import { presentZone } from '../../core/model/calendar.ts'
import { isoInstant } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { about } from './about.ts'
import { advance, presentAdvance, presentSettle, settle, toInstant, untilSettled } from './clock-runs.ts'
import { type ControlEnv, json, takes } from './control-context.ts'

const change = z.strictObject({
  /** `frozen` moves only when told, `scaled` goes `rate` times as fast, `realtime` is like a wall clock. */
  mode: z.enum(['realtime', 'scaled', 'frozen'], 'must be one of realtime, scaled, frozen').optional(),
  /** World seconds per real second. */
  rate: z.number().gt(0, 'must be greater than 0').max(1_000_000, 'must be at most 1000000').optional(),
})

/** Reading and moving simulated time. */
export function clockRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/clock', about('Simulated time, and how it goes'), (c) => json(c, show(c.env.world)))

    .patch('/_mfano/clock', about('Freeze simulated time, or let it go slower or faster'), takes(change), async (c) => {
      await c.env.world.perform({ command: 'set-clock', ...c.req.valid('json') })
      return json(c, show(c.env.world))
    })

    .post(
      '/_mfano/clock/advance',
      about('Move simulated time from due event to due event', {
        errors: ['400 INVALID_EXPRESSION', '409 ILLEGAL_TRANSITION'],
      }),
      takes(advance),
      async (c) => {
        const asked = c.req.valid('json')
        const { world } = c.env
        return json(c, presentAdvance(world, asked, await world.runClock(toInstant(world, asked))))
      },
    )

    .post(
      '/_mfano/clock/settle',
      about('Move simulated time until nothing is due any more', { errors: ['400 INVALID_EXPRESSION'] }),
      takes(settle),
      async (c) => {
        const asked = c.req.valid('json')
        const { world, baseUrl } = c.env
        return json(c, presentSettle(world, asked, await world.runClock(untilSettled(world, asked)), baseUrl))
      },
    )
}

/** Simulated time, and how it goes. */
export type ClockState = ReturnType<typeof show>

function show(world: World) {
  const { clock } = world.core
  const nextUs = world.timekeeper.nextDueUs()
  return {
    mode: clock.mode,
    /** World seconds per real second; 0 while frozen. */
    rate: clock.rate,
    now: isoInstant(clock.now()),
    /** When something happens next by itself; null: never. */
    nextDue: nextUs === undefined ? null : isoInstant(nextUs),
    /** That of the scenario: days, times of day and what is written without a zone are read in it. */
    timezone: presentZone(world.core.scenario.zone),
  }
}
