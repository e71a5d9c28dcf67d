/** How each assumption is asked of the real service, or why it cannot be asked. */
import type { AssumptionId } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'
import { bodyProbes } from './body-probes.ts'
import { callbackProbes } from './callback-probes.ts'
import { checkoutProbes } from './checkout-probes.ts'
import { errorProbes } from './error-probes.ts'
import { listProbes } from './list-probes.ts'
import { paymentProbes } from './payment-probes.ts'
import { recordProbes } from './record-probes.ts'
import { requestProbes } from './request-probes.ts'
import type { AllProbes } from './some-probes.ts'
import { subAccountProbes } from './sub-account-probes.ts'
import { timeProbes } from './time-probes.ts'
import { transportProbes } from './transport-probes.ts'
import { walletProbes } from './wallet-probes.ts'

const declared = {
  ...errorProbes,
  ...bodyProbes,
  ...requestProbes,
  ...transportProbes,
  ...listProbes,
  ...timeProbes,
  ...recordProbes,
  ...subAccountProbes,
  ...walletProbes,
  ...checkoutProbes,
  ...paymentProbes,
  ...callbackProbes,
} satisfies AllProbes

export const probes: Readonly<Record<AssumptionId, ServiceProbe | Unaskable>> = declared
