/** What the control plane answers, by name: its client and its contract speak of it by these. */

export type { ClockState } from './control/clock-routes.ts'
export type { Advanced, Settled } from './control/clock-runs.ts'
export type { Examination } from './control/doctor-routes.ts'
export type { OrganisationShown } from './control/organisation-routes.ts'
export type { PaymentDetail } from './control/payment-routes.ts'
export type { Explanation } from './explain.ts'
