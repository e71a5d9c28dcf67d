/** Routes: what there is, in a list and as a contract. */
import { Hono } from 'hono'
import { about } from './about.ts'
import { type ControlContext, type ControlEnv, json } from './control-context.ts'

/** One address for people and programs. */
const browser = { answers: { 'text/html': 'The dashboard, for a browser.' } }

/** `listed`: the app with all its routes, these among them. */
export function indexRoutes(listed: () => Pick<Hono<ControlEnv>, 'routes'>) {
  const index = (c: ControlContext) =>
    json(c, {
      world: c.env.id,
      docs: `${c.env.baseUrl}/docs`,
      contract: `${c.env.baseUrl}/openapi.json`,
      /** Of what is listed below. */
      controlContract: `${c.env.baseUrl}/_mfano/openapi.json`,
      operations: listed()
        .routes.filter((route) => route.method !== 'ALL')
        .map((route) => `${route.method} ${route.path}`)
        .filter((line, i, all) => all.indexOf(line) === i),
    })
  return new Hono<ControlEnv>()
    .get('/_mfano', about('What there is here', browser), index)
    .get('/_mfano/', about('What there is here', browser), index)
    .get('/_mfano/openapi.json', about('This contract'), async (c) => {
      // Loaded when it is asked for, so that a start need not wait for it.
      const { controlContract } = await import('./control-contract.ts')
      const { baseUrl, version } = c.env
      return json(c, controlContract(listed(), { baseUrl, version }) as object)
    })
}
