/**
 * Probes that ask the real service which alternative of an assumption holds. Only calibration reads them, and no
 * server.
 */
export { probes } from './assumed/probes/all-probes.ts'
export {
  type Asker,
  type Awaited,
  type ByHand,
  type Need,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeWay,
  type SeenAnswer,
  type StepAction,
  type Tier,
  tiers,
  Untold,
} from './assumed/probes/asked-by.ts'
