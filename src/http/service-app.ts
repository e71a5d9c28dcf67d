/** A service's operations over HTTP, for any world: the world, and the path below its base URL, come with each request. */
import { Hono } from 'hono'
import type { Env } from './env.ts'
import type { HttpService } from './http-service.ts'
import { operationsAt, pathBelowBase } from './path.ts'
import { outcomeOf, respelled } from './path-spelling.ts'
import { serve, serveFailure, serveUnknown } from './serve.ts'

/** What is done with a request that an operation answers, and with one that none does. */
export interface Road {
  serve: typeof serve
  serveUnknown: typeof serveUnknown
}

export function serviceApp(service: HttpService, road: Road = { serve, serveUnknown }): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathBelowBase })
  const { operations } = service
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method.toUpperCase(), path, (c) => {
      const { assumptions } = c.env.world.core.scenario
      const isOther = c.req.raw.method === 'HEAD' && assumptions['head-requests'] === 'as-other-methods'
      if (isOther) return road.serveUnknown(c, service, { operations: operationsAt(operations, c.req.path) })
      return road.serve(c, service, operation)
    })
  }
  app.onError((error, c) => serveFailure(c, service, error))
  app.notFound(async (c) => {
    const { path } = c.req
    const there = operationsAt(operations, path)
    const takenFor = there.length === 0 && !c.env.takenFor ? respelled(operations, path) : undefined
    if (!takenFor) return road.serveUnknown(c, service, { operations: there })
    const answer = outcomeOf(takenFor, c.env.world.core.scenario.assumptions)
    if (answer === 'same') return app.fetch(c.req.raw, { ...c.env, takenFor })
    c.env.takenFor = takenFor
    const otherwise = answer === '404' ? undefined : { answer, path: takenFor.path }
    return road.serveUnknown(c, service, { operations: [], ...(otherwise && { otherwise }) })
  })
  return app
}
