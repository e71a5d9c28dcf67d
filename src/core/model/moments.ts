/** The history of a payment. */
import type { InstantUs } from './time.ts'

export const momentBy = ['plan', 'operator', 'payer', 'request', 'float'] as const
export type MomentBy = (typeof momentBy)[number]

export interface Moment {
  atUs: InstantUs
  event: string
  status: string
  by: MomentBy
  detail?: string
}
