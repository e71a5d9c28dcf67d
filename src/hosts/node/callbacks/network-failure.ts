/** Failures of sockets and of undici, told as facts. */
import type { Failure, TryStage } from '../../../core/model/attempt.ts'

/** What the network or undici threw, as facts. */
export function failureOf(error: unknown, stage: TryStage): Failure {
  const { name, code, message = 'unknown', data } = error as Error & { code?: unknown; data?: unknown }
  if (name === 'TimeoutError') return { code: 'TIMEOUT', message, stage }
  if (name === 'HTTPParserError')
    return { code: 'NOT_HTTP', message, stage, ...(data ? { received: String(data) } : {}) }
  return { code: typeof code === 'string' ? code : name || 'ERROR', message, stage }
}
