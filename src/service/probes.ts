/** Every probe: how the real service is asked about each assumption, or why it cannot be. No server reads them. */
import type { AssumptionId } from './assumptions/assumptions.ts'
import { callbackProbes, paymentProbes } from './assumptions/payment-probes.ts'
import { listProbes, requestProbes } from './assumptions/request-probes.ts'
import type { AllProbes, ServiceProbe, Unaskable } from './probe.ts'

export const probes: Readonly<Record<AssumptionId, ServiceProbe | Unaskable>> = {
  ...requestProbes,
  ...listProbes,
  ...paymentProbes,
  ...callbackProbes,
} satisfies AllProbes
