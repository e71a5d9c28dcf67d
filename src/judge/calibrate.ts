/** Asks the real service which alternative of each assumption holds. */
export { type CalibrateOptions, calibrate, type Receiver } from './calibrate/calibrator.ts'
export type { Calibrated, CalibrationReport, CalibrationVerdict, KeptExchange } from './calibrate/verdict.ts'
