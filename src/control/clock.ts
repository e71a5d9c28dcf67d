import type { Hono } from 'hono'
import { z } from 'zod'
import { Refusal } from '../model/refusal.ts'
import { formatInstant, LAST_INSTANT_US } from '../model/time.ts'
import type { World } from '../world/world.ts'
import { duration, instant } from './fields.ts'
import { type ControlEnv, input, json } from './kit.ts'

const change = z.strictObject({
  mode: z.enum(['realtime', 'scaled', 'frozen'], 'must be one of realtime, scaled, frozen').optional(),
  rate: z.number().gt(0, 'must be greater than 0').max(1_000_000, 'must be at most 1000000').optional(),
})
const advance = z
  .strictObject({ by: duration.optional(), to: instant.optional() })
  .refine(
    (given) => (given.by === undefined) !== (given.to === undefined),
    'must have either by, such as {"by":"5m"}, or to, such as {"to":"2025-01-24T18:00:00"}',
  )

/** Reading and moving world time. */
export function clockRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/clock', (c) => json(c, show(c.env.world)))

  app.patch('/_mfano/clock', async (c) => {
    const { mode, rate } = await input(c, change)
    await c.env.world.setClock({ mode, rate })
    return json(c, show(c.env.world))
  })

  app.post('/_mfano/clock/advance', async (c) => {
    const { by, to } = await input(c, advance)
    const { world } = c.env
    const arrivedUs = world.core.clock.now()
    if (to !== undefined && to < arrivedUs) {
      throw wrongTarget('to', `must not be before the world's now, ${formatInstant(arrivedUs)}; time does not go back`)
    }
    // `by` counts from its turn: two at once move time by both.
    const { nowUs, steps, callbacks } = await world.advance((now) => {
      const targetUs = to ?? now + (by ?? 0)
      if (targetUs <= LAST_INSTANT_US) return targetUs
      throw wrongTarget(by === undefined ? 'to' : 'by', `must not lead beyond ${formatInstant(LAST_INSTANT_US)}`)
    })
    return json(c, { now: formatInstant(nowUs), steps, callbacks })
  })
}

function wrongTarget(field: string, what: string): Refusal {
  return new Refusal('INVALID_FIELD', `${field}: ${what}`, { message: 'Invalid field' })
}

function show(world: World) {
  const { clock } = world.core
  const nextUs = world.timekeeper.nextDueUs()
  return {
    mode: clock.mode,
    rate: clock.rate,
    now: formatInstant(clock.now()),
    nextDue: nextUs === undefined ? null : formatInstant(nextUs),
  }
}
