/** Opens the log that the settings ask for. */
import type { Settings } from '../settings.ts'
import { type Log, silentLog } from './log.ts'

/**
 * The log that the settings ask for, to standard output.
 * @param colour whether the pretty form is coloured
 */
export async function openLog(settings: Pick<Settings, 'log' | 'logLevel'>, colour = false): Promise<Log> {
  // Imported when used: pino alone takes some 15 ms, a sixth of a start.
  if (settings.log === 'json') return (await import('./json.ts')).jsonLog(settings.logLevel)
  if (settings.log === 'pretty') return (await import('./pretty.ts')).prettyLog(settings.logLevel, colour)
  return silentLog
}
