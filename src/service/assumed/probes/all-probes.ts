/** Every probe: how the real service is asked about each assumption, or why it cannot be asked. */
import type { AssumptionId, Chosen } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'
import { callbackProbes } from './callback-probes.ts'
import { listProbes, recordProbes } from './list-probes.ts'
import { checkoutProbes, paymentProbes, subAccountProbes, walletProbes } from './payment-probes.ts'
import { errorProbes, requestProbes, transportProbes } from './request-probes.ts'

/** A probe can only return alternatives of its assumption. */
type ProbeOf<Id extends AssumptionId> = ServiceProbe<Chosen[Id]> | Unaskable<Chosen[Id]>

/** A missing probe does not compile. */
export type AllProbes = { readonly [Id in AssumptionId]: ProbeOf<Id> }
export type SomeProbes = Partial<AllProbes>

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
