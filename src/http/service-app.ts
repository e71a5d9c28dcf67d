/** A service's operations over HTTP, for any world: the world, and the path below its base URL, come with each request. */
import { Hono } from 'hono'
import type { Env } from './env.ts'
import type { HttpService } from './http-service.ts'
import { pathBelowBase } from './path.ts'
import { serve, serveFailure, serveUnknown } from './serve.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** What is done with a request that an operation answers, and with one that none does. */
export interface Road {
  serve: typeof serve
  serveUnknown: typeof serveUnknown
}

export function serviceApp(service: HttpService, road: Road = { serve, serveUnknown }): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathBelowBase })
  for (const operation of service.operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method.toUpperCase(), path, (c) => road.serve(c, service, operation))
  }
  app.onError((error, c) => serveFailure(c, service, error))
  app.notFound((c) => {
    const path = c.env.path.split('?', 1)[0] as string
    const allowed = METHODS.filter((method) => app.router.match(method, path)[0].length > 0)
    return road.serveUnknown(c, service, allowed)
  })
  return app
}
