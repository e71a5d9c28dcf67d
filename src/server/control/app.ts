import { Hono } from 'hono'
import { pathBelowBase } from '../../http/path.ts'
import type { HttpService } from '../../http/service.ts'
import { Refusal } from '../../model/refusal.ts'
import { ScenarioError } from '../../scenarios/problems.ts'
import { assumptionRoutes } from './assumptions.ts'
import { callbackRoutes } from './callbacks.ts'
import { checkoutRoutes } from './checkout.ts'
import { clockRoutes } from './clock.ts'
import { collectionRoutes } from './collections.ts'
import { doctorRoutes } from './doctor.ts'
import { eventRoutes } from './events.ts'
import { fidelityRoutes } from './fidelity.ts'
import { floatRoutes } from './floats.ts'
import { guard } from './guard.ts'
import { handsetRoutes } from './handset.ts'
import { hitRoutes } from './hits.ts'
import { inboxRoutes } from './inbox.ts'
import { type ControlContext, type ControlEnv, json, refused } from './kit.ts'
import { organisationRoutes } from './organisations.ts'
import { overviewRoutes } from './overview.ts'
import { paymentRoutes } from './payments.ts'
import { requestRoutes } from './requests.ts'
import { scenarioRoutes } from './scenario.ts'
import { snapshotRoutes } from './snapshots.ts'
import { statisticsRoutes } from './statistics.ts'
import { verifyRoutes } from './verify.ts'
import { waitRoutes } from './wait.ts'
import { walletRoutes } from './wallets.ts'
import { worldRoutes } from './worlds.ts'

export type { ControlEnv } from './kit.ts'

/** Every route of the control plane, with the types of what goes in and comes out. */
function routes(service: HttpService) {
  return new Hono<ControlEnv>()
    .route('/', overviewRoutes())
    .route('/', paymentRoutes(service))
    .route('/', doctorRoutes(service))
    .route('/', inboxRoutes())
    .route('/', walletRoutes())
    .route('/', floatRoutes())
    .route('/', organisationRoutes())
    .route('/', worldRoutes())
    .route('/', snapshotRoutes())
    .route('/', fidelityRoutes())
    .route('/', waitRoutes())
    .route('/', clockRoutes())
    .route('/', requestRoutes())
    .route('/', verifyRoutes())
    .route('/', handsetRoutes())
    .route('/', scenarioRoutes(service))
    .route('/', collectionRoutes(service))
    .route('/', callbackRoutes())
    .route('/', eventRoutes())
    .route('/', hitRoutes())
    .route('/', assumptionRoutes())
    .route('/', statisticsRoutes())
    .route('/', checkoutRoutes())
}

/** What a typed client of the control plane knows. */
export type ControlApi = ReturnType<typeof routes>

/** The operator's door: everything under `{base_url}/_mfano`. */
export function controlApp(service: HttpService): Hono<ControlEnv> {
  const app = new Hono<ControlEnv>({ getPath: pathBelowBase })
  app.use(guard)
  app.route('/', routes(service))
  const index = (c: ControlContext) =>
    json(c, {
      world: c.env.world.id,
      docs: `${c.env.baseUrl}/docs`,
      contract: `${c.env.baseUrl}/openapi.json`,
      operations: app.routes
        .filter((route) => route.method !== 'ALL')
        .map((route) => `${route.method} ${route.path}`)
        .filter((line, i, all) => all.indexOf(line) === i),
    })
  app.get('/_mfano', index)
  app.get('/_mfano/', index)
  app.notFound((c) =>
    refused(
      new Refusal(
        'NOT_FOUND',
        `nothing is at ${c.req.method} ${c.env.path.split('?')[0]}; GET ${c.env.baseUrl}/_mfano/ lists what there is`,
        { status: 404, message: 'Not found' },
      ),
    ),
  )
  app.onError((error, c) => {
    if (error instanceof Refusal) return refused(error)
    if (error instanceof ScenarioError)
      return refused(
        new Refusal('INVALID_SCENARIO', error.message, { message: 'The scenario has problems; nothing was made' }),
      )
    c.env.world.core.observer.error(error, `${c.req.method} ${c.env.path.split('?')[0]}`)
    return refused(
      new Refusal('SERVER_ERROR', 'mfano failed; its log says why', { status: 500, message: 'Internal error' }),
    )
  })
  return app
}
