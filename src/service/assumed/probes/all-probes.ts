/** Every probe: how the real service is asked about each assumption, or why it cannot be asked. */
import type { AssumptionId } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'
import { callbackProbes } from './callback-probes.ts'
import { listProbes, recordProbes } from './list-probes.ts'
import { checkoutProbes, paymentProbes, subAccountProbes, walletProbes } from './payment-probes.ts'
import { errorProbes, requestProbes, transportProbes } from './request-probes.ts'
import type { AllProbes } from './some-probes.ts'

const declared = {
  ...errorProbes,
  ...requestProbes,
  ...transportProbes,
  ...listProbes,
  ...recordProbes,
  ...subAccountProbes,
  ...walletProbes,
  ...checkoutProbes,
  ...paymentProbes,
  ...callbackProbes,
} satisfies AllProbes

export const probes: Readonly<Record<AssumptionId, ServiceProbe | Unaskable>> = declared
