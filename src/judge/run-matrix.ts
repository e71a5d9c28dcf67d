export { runMatrix } from './matrix/matrix.ts'
