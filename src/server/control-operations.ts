/** Every operation of the control plane, as data: its route, contract, client and lists are made of these. */
import { callbackOperations } from './control/callbacks.ts'
import { checkoutOperations } from './control/checkout.ts'
import { clockOperations } from './control/clock.ts'
import { eventOperations } from './control/events.ts'
import { handsetOperations } from './control/handset.ts'
import { inboxOperations } from './control/inbox.ts'
import { mutationOperations } from './control/mutation.ts'
import { organisationOperations } from './control/organisations.ts'
import { paymentOperations } from './control/payments.ts'
import { populateOperations } from './control/populate.ts'
import { questionOperations } from './control/questions.ts'
import { reconcileOperations } from './control/reconcile.ts'
import { forwarderOperations, participantOperations } from './control/remotes.ts'
import { requestOperations } from './control/requests.ts'
import { runOperations } from './control/runs.ts'
import { scenarioOperations } from './control/scenario.ts'
import { serverOperations } from './control/server.ts'
import { serviceOperations } from './control/service.ts'
import { snapshotOperations } from './control/snapshots.ts'
import { walletOperations } from './control/wallets.ts'
import { worldOperations } from './control/worlds.ts'

export const controlOperations = [
  ...serverOperations,
  ...serviceOperations,
  ...paymentOperations,
  ...inboxOperations,
  ...walletOperations,
  ...organisationOperations,
  ...worldOperations,
  ...snapshotOperations,
  ...clockOperations,
  ...participantOperations,
  ...requestOperations,
  ...questionOperations,
  ...handsetOperations,
  ...scenarioOperations,
  ...callbackOperations,
  ...forwarderOperations,
  ...eventOperations,
  ...checkoutOperations,
  ...reconcileOperations,
  ...runOperations,
  ...mutationOperations,
  ...populateOperations,
] as const
