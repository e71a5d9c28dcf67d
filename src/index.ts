/** mfano as a library: the same simulator inside a test process. */
export { readSettings, type Settings } from './config.ts'
export { type Log, openLog, silentLog } from './log/log.ts'
export { startSimulator } from './simulator.ts'
