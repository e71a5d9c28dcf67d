/** mfano as a library: the same simulator inside a test process. */

export { type Log, silentLog } from '../hosts/node/log.ts'
export type { Settings } from '../hosts/node/settings.ts'
export { openLog } from '../hosts/node/settings.ts'
export { startSimulator } from '../hosts/node/simulator.ts'
export { readSettings } from './cli/start/start-command.ts'
