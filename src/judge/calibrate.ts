/** Asks the real service which alternative of each assumption holds. */
export { whyNotAsked } from './calibrate/allowed.ts'
export { type CalibrateOptions, calibrate, type Receiver } from './calibrate/calibrator.ts'
export { type CallbackReceiver, startReceiver } from './calibrate/callback-receiver.ts'
export { fromTraffic } from './calibrate/from-traffic.ts'
export { comparedWith, type Moved, measuredScenario } from './calibrate/measured-scenario.ts'
export { type CalibrationPlan, calibrationPlanOf } from './calibrate/plan.ts'
export type { OnTheWire } from './calibrate/service-line.ts'
export type { Calibrated, CalibrationReport, CalibrationVerdict, KeptExchange } from './calibrate/verdict.ts'
