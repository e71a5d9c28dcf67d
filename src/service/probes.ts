/** How the real service is asked which alternative of each assumption holds; read by who asks, and by nobody who serves. */
export { probes } from './assumed/probes/all-probes.ts'
export {
  type Account,
  type Asker,
  type Awaited,
  type ByHand,
  type Need,
  type Pause,
  type Probe,
  type ProbeRequest,
  type Seen,
  type StepAction,
  type Tier,
  tiers,
  Untold,
  type Way,
} from './assumed/probes/asked-by.ts'
