/** Every probe: how the real service is asked about each assumption, or why it cannot be. No server reads them. */
import type { AssumptionId } from './assumptions/assumptions.ts'
import { callbackProbes } from './assumptions/probes/callback-probes.ts'
import { listProbes } from './assumptions/probes/list-probes.ts'
import { paymentProbes } from './assumptions/probes/payment-probes.ts'
import { requestProbes } from './assumptions/probes/request-probes.ts'
import type { AllProbes, ServiceProbe, Unaskable } from './probe.ts'

export {
  type Asker,
  type Awaited,
  actionOf,
  endedBy,
  filledBy,
  Inconclusive,
  type Need,
  needsOf,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeWay,
  type SeenAnswer,
  type ServiceProbe,
  type StepAction,
  type Tier,
  tiers,
  toldBy,
  waysOf,
} from './probe.ts'

const declared = { ...requestProbes, ...listProbes, ...paymentProbes, ...callbackProbes } satisfies AllProbes

export const probes: Readonly<Record<AssumptionId, ServiceProbe | Unaskable>> = declared
