/** What every door of the control plane has: its guard, and how it answers what it refuses, lacks or fails at. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ZONE_HEADER, zoneHeader } from '../../core/model/calendar.ts'
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { storageRefusal } from '../../core/model/storage-failure.ts'
import { pathBelowBase } from '../../http/http-service.ts'
import type { ShowHint } from '../../inspect/explain-payment.ts'
import type { ServedService } from '../../service/parts.ts'
import { type ControlEnv, refusedResponse } from './control-context.ts'
import { guard } from './guard.ts'
import { addRoutes } from './route.ts'
import { healthOperations } from './server/health-operations.ts'

/** Every answer says in which zone people are shown the times of this world; the answer itself tells them in UTC. */
export const tellZone = createMiddleware<ControlEnv>(async (c, next) => {
  await next()
  const zone = c.env.zone()
  // Not `c.header`: it would wrap the answer in another, and stream its body.
  if (zone) c.res.headers.set(ZONE_HEADER, zoneHeader(zone))
})

/** Guarded, and without a route. */
export function controlBase(show?: ShowHint): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>({ getPath: pathBelowBase })
  app.use(guard)
  app.notFound((c) =>
    refusedResponse(
      new Refusal(
        'NOT_FOUND',
        `nothing is at ${c.req.method} ${c.env.path.split('?')[0]}; GET ${c.env.baseUrl}/_mfano/ lists what there is`,
      ),
    ),
  )
  app.onError((error, c) => {
    if (error instanceof Refusal) return refusedResponse(error, show)
    if (error instanceof ScenarioError) return refusedResponse(new Refusal('INVALID_SCENARIO', error.message))
    c.env.worlds.failed(c.env.id, error, `${c.req.method} ${c.env.path.split('?')[0]}`)
    const told = storageRefusal(error)
    return refusedResponse(
      told instanceof Refusal
        ? told
        : new Refusal('SERVER_ERROR', 'mfano failed; its log says why', { message: 'Internal error' }),
    )
  })
  return app
}

/** The one operation that is asked before anybody uses the control plane; nothing else of it need be loaded for that. */
export function healthApp(service: ServedService): Hono<ControlEnv> {
  const app = controlBase()
  addRoutes(app, healthOperations, service)
  return app
}
