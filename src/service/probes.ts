/** How the real service is asked which alternative of each assumption holds; read by who asks, and by nobody who serves. */
export { probes } from './assumed/probes/all-probes.ts'
export {
  type Asker,
  type Awaited,
  type ByHand,
  type Need,
  type Pause,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeWay,
  type SeenAnswer,
  type ServiceProbe,
  type StepAction,
  type Tier,
  tiers,
  Untold,
} from './assumed/probes/asked-by.ts'
