/** How each assumption is asked of the real service, or why it cannot be asked. */
import type { AssumptionId } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'
import { bodyProbes } from './body-probes.ts'
import { checkoutProbes } from './checkout-probes.ts'
import { errorProbes } from './error-probes.ts'
import { organisationProbes } from './organisation-probes.ts'
import { paymentProbes } from './payment-probes.ts'
import { recordProbes } from './record-probes.ts'
import { requestProbes } from './request-probes.ts'
import type { AllProbes } from './some-probes.ts'
import { transportProbes } from './transport-probes.ts'

const declared = {
  ...errorProbes,
  ...bodyProbes,
  ...requestProbes,
  ...transportProbes,
  ...recordProbes,
  ...organisationProbes,
  ...checkoutProbes,
  ...paymentProbes,
} satisfies AllProbes

/** In the order in which they are asked: what is told first explains what is told later. */
export const probes: Readonly<Record<AssumptionId, ServiceProbe | Unaskable>> = declared
