/** The operations of a service as routes of a Hono app. World and path come with each request. */
import { Hono } from 'hono'
import { exchangeOf, type Unrouted } from './exchange.ts'
import type { Env, HttpService } from './http-service.ts'
import { operationsAt, respelled } from './road/paths.ts'
import { serve } from './road/serve.ts'

/** @param take what a replay takes the requests of a recording with */
export function serviceApp(service: HttpService, take = serve): Hono<{ Bindings: Env }> {
  const { operations } = service
  const app = new Hono<{ Bindings: Env }>({
    getPath: pathBelowBase,
  })
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method.toUpperCase(), path, ({ env, req }) => {
      const arrived = { raw: req.raw, env, path: req.path, params: req.param() }
      return take(exchangeOf(arrived, service, operation))
    })
  }
  app.notFound(({ env, req: { raw, path } }) => {
    const unrouted = (unknown: Unrouted, taken = env) =>
      take(exchangeOf({ raw, env: taken, path, params: {} }, service, unknown))
    const there = operationsAt(operations, path)
    const spelling = there.length === 0 && !env.takenFor ? respelled(operations, path) : undefined
    if (!spelling) return unrouted({ operations: there })
    const outcome = spelling.endsInSlash ? env.world.core.scenario.assumptions['trailing-slash'] : 'same'
    const taken = { ...env, takenFor: spelling }
    if (outcome === 'same') return app.fetch(raw, taken)
    const redirect =
      outcome === '404' ? undefined : ({ status: outcome === '301' ? 301 : 308, path: spelling.path } as const)
    return unrouted({ operations: [], ...(redirect && { redirect }) }, taken)
  })
  return app
}

export function pathBelowBase(_request: Request, { env }: { env?: Pick<Env, 'path' | 'takenFor'> } = {}): string {
  const path = env?.takenFor?.path ?? env?.path ?? '/'
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}
