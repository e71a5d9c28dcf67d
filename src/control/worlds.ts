import type { Hono } from 'hono'
import { z } from 'zod'
import { Refusal } from '../model/refusal.ts'
import { formatInstant } from '../model/time.ts'
import { DEFAULT_ORGANISATION, type World } from '../world/world.ts'
import { DEFAULT_WORLD } from '../world/worlds.ts'
import { instant } from './fields.ts'
import { type ControlContext, type ControlEnv, input, json } from './kit.ts'

const newWorld = z.strictObject({
  id: z.string().optional(),
  /** A shipped name, a path, or a scenario as an object or text. */
  scenario: z.union([z.string(), z.looseObject({})]).optional(),
  /** Values for the scenario's parameters. */
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  seed: z.int().min(0, 'must be 0 or more').max(0xffff_ffff, 'must be at most 4294967295').optional(),
  clock: z
    .strictObject({
      mode: z.enum(['realtime', 'scaled', 'frozen'], 'must be one of realtime, scaled, frozen').optional(),
      rate: z.number().gt(0, 'must be greater than 0').max(1_000_000, 'must be at most 1000000').optional(),
      start: instant.optional(),
    })
    .optional(),
})

/** Making, listing, resetting and removing worlds. */
export function worldRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/worlds', (c) => {
    serverLevel(c)
    return json(c, { worlds: c.env.worlds.list().map((world) => summary(c, world)) })
  })

  app.post('/_mfano/worlds', async (c) => {
    serverLevel(c)
    const { id, scenario, parameters, seed, clock } = await input(c, newWorld)
    const world = c.env.worlds.create({
      id,
      seed,
      parameters,
      scenario: typeof scenario === 'object' ? JSON.stringify(scenario) : scenario,
      clock: clock && { mode: clock.mode, rate: clock.rate, startUs: clock.start },
    })
    const { apiKey, apiSecret, uuid } = DEFAULT_ORGANISATION
    return json(c, { ...summary(c, world), credentials: { apiKey, apiSecret, companyId: uuid } }, 201)
  })

  app.delete('/_mfano/worlds/:id', (c) => {
    serverLevel(c)
    c.env.worlds.remove(c.req.param('id'))
    return json(c, { removed: c.req.param('id') })
  })

  app.post('/_mfano/reset', (c) => json(c, summary(c, c.env.worlds.reset(c.env.world.id))))
}

function summary(c: ControlContext, world: World) {
  return {
    id: world.id,
    baseUrl: world.id === DEFAULT_WORLD ? c.env.origin : `${c.env.origin}/w/${world.id}`,
    scenario: world.core.scenario.name,
    seed: world.origin.seed,
    clock: { mode: world.core.clock.mode, rate: world.core.clock.rate, now: formatInstant(world.core.clock.now()) },
  }
}

function serverLevel(c: ControlContext): void {
  if (c.env.serverLevel) return
  throw new Refusal('SERVER_LEVEL', `worlds are made and removed at ${c.env.origin}/_mfano/worlds, not below a world`, {
    status: 404,
    message: 'Not found',
  })
}
