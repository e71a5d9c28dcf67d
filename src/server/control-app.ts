/** The control plane, put together from its routes. */
import { Hono } from 'hono'
import type { ServedService } from '../service/parts.ts'
import { agentRoutes } from './control/agent-routes.ts'
import { assumptionRoutes } from './control/assumption-routes.ts'
import { callbackRoutes } from './control/callback-routes.ts'
import { capsuleRoutes } from './control/capsule-routes.ts'
import { checkoutRoutes } from './control/checkout-routes.ts'
import { clockParticipantRoutes } from './control/clock-participant-routes.ts'
import { clockRoutes } from './control/clock-routes.ts'
import { collectionRoutes } from './control/collection-routes.ts'
import { controlBase, tellZone } from './control/control-base.ts'
import type { ControlEnv } from './control/control-context.ts'
import { coverageRoutes } from './control/coverage-routes.ts'
import { doctorRoutes } from './control/doctor-routes.ts'
import { eventRoutes } from './control/event-routes.ts'
import { fidelityRoutes } from './control/fidelity-routes.ts'
import { floatRoutes } from './control/float-routes.ts'
import { handsetRoutes } from './control/handset-routes.ts'
import { healthRoutes } from './control/health-routes.ts'
import { hitRoutes } from './control/hit-routes.ts'
import { inboxRoutes } from './control/inbox-routes.ts'
import { indexRoutes } from './control/index-routes.ts'
import { metricRoutes } from './control/metric-routes.ts'
import { mutationRoutes } from './control/mutation-routes.ts'
import { organisationRoutes } from './control/organisation-routes.ts'
import { overviewRoutes } from './control/overview-routes.ts'
import { paymentRoutes } from './control/payment-routes.ts'
import { populateRoutes } from './control/populate-routes.ts'
import { reconcileRoutes } from './control/reconcile-routes.ts'
import { reportRoutes } from './control/report-routes.ts'
import { requestRoutes } from './control/request-routes.ts'
import { runRoutes } from './control/run-routes.ts'
import { scenarioRoutes } from './control/scenario-routes.ts'
import { snapshotRoutes } from './control/snapshot-routes.ts'
import { statisticsRoutes } from './control/statistic-routes.ts'
import { verifyRoutes } from './control/verify-routes.ts'
import { waitRoutes } from './control/wait-routes.ts'
import { walletRoutes } from './control/wallet-routes.ts'
import { worldRoutes } from './control/world-routes.ts'

export type { ControlEnv } from './control/control-context.ts'

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
    .route('/', clockParticipantRoutes())
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
  app.use(tellZone)
  app.route(
    '/',
    routes(service, () => app),
  )
  app.route('/', metricRoutes())
  app.route('/', agentRoutes())
  return app
}
