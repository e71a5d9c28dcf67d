/** Runs a suite or an app under the default assumptions, then under their alternatives. */
export { runMatrix } from './matrix/matrix.ts'
