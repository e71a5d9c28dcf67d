/** Every operation of the control plane, as data: its route, contract, client and lists are made of these. */
import { callbackOperations, doctorOperations } from './control/callbacks.ts'
import { checkoutOperations } from './control/checkout.ts'
import { clockOperations } from './control/clock.ts'
import { eventOperations, statisticOperations } from './control/events.ts'
import { forwarderOperations } from './control/forwarders.ts'
import { handsetOperations } from './control/handset.ts'
import { inboxOperations } from './control/inbox.ts'
import { mutationOperations } from './control/mutation.ts'
import { organisationOperations } from './control/organisations.ts'
import { participantOperations } from './control/participants.ts'
import { collectionOperations, paymentOperations } from './control/payments.ts'
import { populateOperations } from './control/populate.ts'
import { verifyOperations, waitOperations } from './control/questions.ts'
import { reconcileOperations } from './control/reconcile.ts'
import { coverageOperations, reportOperations } from './control/reports.ts'
import { requestOperations } from './control/requests.ts'
import { runOperations } from './control/runs.ts'
import { hitOperations, scenarioOperations } from './control/scenario.ts'
import {
  agentOperations,
  authorityOperations,
  healthOperations,
  merchantOperations,
  metricOperations,
  serverOperations,
} from './control/server.ts'
import { assumptionOperations, fidelityOperations, serviceOperations } from './control/service.ts'
import { capsuleOperations, snapshotOperations } from './control/snapshots.ts'
import { floatOperations, walletOperations } from './control/wallets.ts'
import { worldOperations } from './control/worlds.ts'

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
