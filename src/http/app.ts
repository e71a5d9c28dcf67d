/** The surface of a service, as an app. */
import { Hono } from 'hono'
import { pathBelowBase } from './path.ts'
import { type Env, serve, serveFault, serveUnknown } from './serve.ts'
import type { HttpService } from './service.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The service's surface for any world: the world, and the path below its base URL, come with each request. */
export function serviceApp({ operations }: Pick<HttpService, 'operations'>): Hono<Env> {
  const app = new Hono<Env>({ getPath: pathBelowBase })
  for (const operation of operations) {
    app.on(operation.method.toUpperCase(), operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => serve(c, operation))
  }
  app.onError((error, c) => serveFault(c, error))
  app.notFound((c) => {
    const path = c.env.path.split('?', 1)[0] as string
    const allowed = METHODS.filter((method) => app.router.match(method, path)[0].length > 0)
    return serveUnknown(c, allowed)
  })
  return app
}
