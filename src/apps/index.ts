export { type Log, silentLog } from '../hosts/node/log.ts'
export { openLog, type Settings } from '../hosts/node/settings.ts'
export { startSimulator } from '../hosts/node/simulator.ts'
export { readSettings } from './cli/start/read-settings.ts'
