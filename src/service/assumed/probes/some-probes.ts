/** How probes are told apart by their assumptions: each may say nothing but one of its alternatives. */
import type { AssumptionId, Chosen } from '../assumptions.ts'
import type { ServiceProbe, Unaskable } from './asked-by.ts'

export type ProbeOf<Id extends AssumptionId> = ServiceProbe<Chosen[Id]> | Unaskable<Chosen[Id]>

/** Those of some assumptions. */
export type SomeProbes = { readonly [Id in AssumptionId]?: ProbeOf<Id> }

/** Those of all: an assumption without one does not compile. */
export type AllProbes = { readonly [Id in AssumptionId]: ProbeOf<Id> }
