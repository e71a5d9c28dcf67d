/** Types that tie each probe to its assumption, so that a probe can only return that assumption's alternatives. */
import type { AssumptionId, Chosen } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'

/** Probes of all assumptions; a missing probe does not compile. */
export type AllProbes = { readonly [Id in AssumptionId]: ServiceProbe<Chosen[Id]> | Unaskable<Chosen[Id]> }

export type SomeProbes = Partial<AllProbes>
