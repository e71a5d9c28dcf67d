export { runGauntlet } from './strategies/gauntlet.ts'
