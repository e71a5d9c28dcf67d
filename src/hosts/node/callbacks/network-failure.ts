/** Turns errors of sockets and undici into facts. */
import type { Failure, TryStage } from '../../../core/model/attempt.ts'

export function failureOf(error: unknown, stage: TryStage): Failure {
  const { name, code, message = 'unknown', data } = error as Error & { code?: unknown; data?: unknown }
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message, stage }
  if (name === 'HTTPParserError')
    return { code: 'NOT_HTTP', message, stage, ...(data ? { received: String(data) } : {}) }
  return { code: typeof code === 'string' ? code : name || 'ERROR', message, stage }
}
