/** mfano as a library: the same simulator inside a test process. */

export { readSettings } from './commands/start/start-command.ts'
export { type Log, silentLog } from './hosts/node/log/log.ts'
export { openLog } from './hosts/node/log/open-log.ts'
export type { Settings } from './hosts/node/settings.ts'
export { startSimulator } from './hosts/node/simulator.ts'
