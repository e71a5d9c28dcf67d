/** mfano as a library: the same simulator inside a test process. */

export { type Log, openLog, silentLog } from './hosts/node/log/log.ts'
export { readSettings, type Settings } from './hosts/node/settings.ts'
export { startSimulator } from './hosts/node/simulator.ts'
