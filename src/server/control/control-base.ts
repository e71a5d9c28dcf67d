import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ZONE_HEADER, zoneHeader } from '../../core/model/calendar.ts'
import { ScenarioError } from '../../core/model/problems.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { storageRefusal } from '../../core/sql.ts'
import { brokenOff } from '../../http/read-body.ts'
import { pathBelowBase } from '../../http/service-app.ts'
import type { ShowHint } from '../../inspect/explain-payment.ts'
import { type ControlEnv, refusedResponse } from './control-context.ts'
import type { AnyOperation } from './declared-operation.ts'
import { guard } from './guard.ts'
import { addRoutes } from './route.ts'
import { readHealth } from './server.ts'

/** Sends the world's time zone in a header, because answers contain times in UTC only. */
const tellZone = createMiddleware<ControlEnv>(async (c, next) => {
  await next()
  const zone = c.env.zone()
  // Not `c.header`: it would wrap the answer in another, and stream its body.
  if (zone) c.res.headers.set(ZONE_HEADER, zoneHeader(zone))
})

function controlBase(show?: ShowHint): Hono<ControlEnv> {
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
    // Nobody is there to be answered any more, and the work ended for that reason.
    if (error === c.req.raw.signal.reason) return refusedResponse(brokenOff())
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

export function controlApp(operations: readonly AnyOperation[], show: ShowHint): Hono<ControlEnv> {
  const app = controlBase(show)
  app.use(tellZone)
  addRoutes(app, operations)
  return app
}

/** Serves the health check alone, so that it loads nothing else of the control plane. */
export function healthApp(): Hono<ControlEnv> {
  const app = controlBase()
  addRoutes(app, [readHealth])
  return app
}
