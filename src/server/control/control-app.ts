/** The control plane, put together from its routes. */
import { Hono } from 'hono'
import type { ServedService } from '../../service/parts.ts'
import { agentRoutes } from './agent-routes.ts'
import { assumptionRoutes } from './assumption-routes.ts'
import { callbackRoutes } from './callback-routes.ts'
import { capsuleRoutes } from './capsule-routes.ts'
import { checkoutRoutes } from './checkout-routes.ts'
import { clockRoutes } from './clock-routes.ts'
import { collectionRoutes } from './collection-routes.ts'
import { controlBase } from './control-base.ts'
import type { ControlEnv } from './control-context.ts'
import { coverageRoutes } from './coverage-routes.ts'
import { doctorRoutes } from './doctor-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { fidelityRoutes } from './fidelity-routes.ts'
import { floatRoutes } from './float-routes.ts'
import { handsetRoutes } from './handset-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { hitRoutes } from './hit-routes.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { indexRoutes } from './index-routes.ts'
import { metricRoutes } from './metric-routes.ts'
import { mutationRoutes } from './mutation-routes.ts'
import { organisationRoutes } from './organisation-routes.ts'
import { overviewRoutes } from './overview-routes.ts'
import { paymentRoutes } from './payment-routes.ts'
import { populateRoutes } from './populate-routes.ts'
import { reconcileRoutes } from './reconcile-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { requestRoutes } from './request-routes.ts'
import { runRoutes } from './run-routes.ts'
import { scenarioRoutes } from './scenario-routes.ts'
import { snapshotRoutes } from './snapshot-routes.ts'
import { statisticsRoutes } from './statistic-routes.ts'
import { verifyRoutes } from './verify-routes.ts'
import { waitRoutes } from './wait-routes.ts'
import { walletRoutes } from './wallet-routes.ts'
import { worldRoutes } from './world-routes.ts'

export type { ControlEnv } from './control-context.ts'

/** Every route of the control plane, with the types of what goes in and comes out. */
function routes(service: ServedService, listed: () => Pick<Hono<ControlEnv>, 'routes'>) {
  return new Hono<ControlEnv>()
    .route('/', indexRoutes(listed))
    .route('/', healthRoutes())
    .route('/', overviewRoutes())
    .route('/', paymentRoutes(service))
    .route('/', doctorRoutes(service))
    .route('/', inboxRoutes())
    .route('/', walletRoutes(service))
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
    .route('/', reconcileRoutes())
    .route('/', reportRoutes())
    .route('/', runRoutes())
    .route('/', coverageRoutes())
    .route('/', capsuleRoutes())
    .route('/', mutationRoutes())
    .route('/', populateRoutes())
}

/** What a typed client of the control plane knows. */
export type ControlApi = ReturnType<typeof routes>

/** The operator's door: everything under `{base_url}/_mfano`. */
export function controlApp(service: ServedService): Hono<ControlEnv> {
  const app = controlBase()
  app.route(
    '/',
    routes(service, () => app),
  )
  app.route('/', metricRoutes())
  app.route('/', agentRoutes())
  return app
}
