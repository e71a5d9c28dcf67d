import { pino } from 'pino'
import type { Log, logLevels } from '../log.ts'
import { wallNowMs } from '../wall.ts'

/** Bytes that may wait for a slow reader of standard output; further lines are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024

interface Target {
  write(line: string): void
  flushSync?(): void
}

/** Does not wait: while one write is under way, lines collect for the next. */
function standardOutput(): Target {
  const target = pino.destination({ fd: 1, sync: false, maxLength: MAX_WAITING_BYTES })
  // The reader may go away, as in `mfano | head`. A log line is no reason to stop a simulator.
  target.on('error', () => {})
  return target
}

export function jsonLog(level: (typeof logLevels)[number], target: Target = standardOutput()): Required<Log> {
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date(wallNowMs()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    target,
  )
  return {
    request(event) {
      logger[event.error === undefined ? 'info' : 'error']({ event: 'request', ...event })
    },
    callback(event) {
      logger[event.error === undefined ? 'info' : 'warn']({ event: 'callback', ...event })
    },
    transition(event) {
      logger.info({ event: 'transition', ...event })
    },
    info: (message, fields = {}) => logger.info(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    error: (message, fields = {}) => logger.error(fields, message),
    flush() {
      try {
        target.flushSync?.()
      } catch {
        // Nobody reads any more, or the disk is full: there is no better place to say so.
      }
    },
  }
}
