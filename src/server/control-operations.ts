/** Every operation of the control plane, as data: its route, contract, client and lists are made of these. */
import { callbackOperations } from './control/callbacks/callback-operations.ts'
import { doctorOperations } from './control/callbacks/doctor-operations.ts'
import { forwarderOperations } from './control/callbacks/forwarder-operations.ts'
import { checkoutOperations } from './control/checkout/checkout-operations.ts'
import { clockOperations } from './control/clock/clock-operations.ts'
import { participantOperations } from './control/clock/participant-operations.ts'
import { eventOperations } from './control/events/event-operations.ts'
import { statisticOperations } from './control/events/statistic-operations.ts'
import { handsetOperations } from './control/handset/handset-operations.ts'
import { inboxOperations } from './control/inbox/inbox-operations.ts'
import { mutationOperations } from './control/mutation/mutation-operations.ts'
import { organisationOperations } from './control/organisations/organisation-operations.ts'
import { collectionOperations } from './control/payments/collection-operations.ts'
import { paymentOperations } from './control/payments/payment-operations.ts'
import { verifyOperations } from './control/questions/verify-operations.ts'
import { waitOperations } from './control/questions/wait-operations.ts'
import { reconcileOperations } from './control/reconcile/reconcile-operations.ts'
import { requestOperations } from './control/requests/request-operations.ts'
import { coverageOperations } from './control/runs/coverage-operations.ts'
import { reportOperations } from './control/runs/report-operations.ts'
import { runOperations } from './control/runs/run-operations.ts'
import { hitOperations } from './control/scenario/hit-operations.ts'
import { scenarioOperations } from './control/scenario/scenario-operations.ts'
import { agentOperations } from './control/server/agent-operations.ts'
import { authorityOperations } from './control/server/authority-operations.ts'
import { healthOperations } from './control/server/health-operations.ts'
import { merchantOperations } from './control/server/merchant-operations.ts'
import { metricOperations } from './control/server/metric-operations.ts'
import { serverOperations } from './control/server/server-operations.ts'
import { assumptionOperations } from './control/service/assumption-operations.ts'
import { fidelityOperations } from './control/service/fidelity-operations.ts'
import { serviceOperations } from './control/service/service-operations.ts'
import { floatOperations } from './control/wallets/float-operations.ts'
import { walletOperations } from './control/wallets/wallet-operations.ts'
import { capsuleOperations } from './control/worlds/capsule-operations.ts'
import { populateOperations } from './control/worlds/populate-operations.ts'
import { snapshotOperations } from './control/worlds/snapshot-operations.ts'
import { worldOperations } from './control/worlds/world-operations.ts'

// An address is looked for in this order.
export const controlOperations = [
  ...serverOperations,
  ...healthOperations,
  ...authorityOperations,
  ...serviceOperations,
  ...paymentOperations,
  ...doctorOperations,
  ...inboxOperations,
  ...walletOperations,
  ...floatOperations,
  ...organisationOperations,
  ...worldOperations,
  ...snapshotOperations,
  ...fidelityOperations,
  ...waitOperations,
  ...clockOperations,
  ...participantOperations,
  ...requestOperations,
  ...verifyOperations,
  ...handsetOperations,
  ...scenarioOperations,
  ...merchantOperations,
  ...collectionOperations,
  ...callbackOperations,
  ...forwarderOperations,
  ...eventOperations,
  ...hitOperations,
  ...assumptionOperations,
  ...statisticOperations,
  ...checkoutOperations,
  ...reconcileOperations,
  ...reportOperations,
  ...runOperations,
  ...coverageOperations,
  ...capsuleOperations,
  ...mutationOperations,
  ...populateOperations,
  ...metricOperations,
  ...agentOperations,
] as const
