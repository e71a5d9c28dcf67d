/** Assumptions about tokens. */
import type { Assumption } from '../../core/model/assumption.ts'

export const tokenAssumptions = {} as const satisfies Record<string, Assumption>
