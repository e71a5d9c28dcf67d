/** Asks the real service which alternative of each assumption is true. */
export { answerRun, calibrationDocument, planDocument } from './calibrate/calibrate-document.ts'
export { type CalibrateOptions, type Receiver, runCalibration, whyNotAsked } from './calibrate/calibrator.ts'
export { startReceiver } from './calibrate/callback-receiver.ts'
export { fromTraffic, trafficReport } from './calibrate/from-traffic.ts'
export { CalibrationFiles, comparedWith, measuredScenario } from './calibrate/measured-scenario.ts'
export { calibrationPlanOf } from './calibrate/plan.ts'
export type { CalibrationReport } from './calibrate/verdict.ts'
export { Secrets } from './traffic/har.ts'
