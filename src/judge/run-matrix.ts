export { runMatrix } from './strategies/matrix.ts'
