/** Finds wrong answers of the service that an app or a suite does not notice: each run changes one answer. */
export { findMutants } from './strategies/mutants.ts'
