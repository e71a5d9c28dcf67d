/** The log: one line per event. Lines of one turn of the event loop are written together. */
import type { Diagnosis } from '../../core/model/callback.ts'
import type { RequestEvent } from '../../http/operation.ts'

export interface LoggedRequest extends Pick<RequestEvent, 'world' | 'requestId' | 'method' | 'path' | 'status'> {
  tookMs: number
  rule?: string | undefined
  error?: string | undefined
}

export interface CallbackEvent {
  world: string
  callbackId: string
  url: string
  attempt: number
  status?: number | undefined
  error?: string | undefined
  diagnosis?: Diagnosis | undefined
  tookMs: number
}

export interface TransitionEvent {
  world: string
  kind: string
  uuid: string
  from: string | undefined
  to: string
  by: string
}

export type LogFields = Record<string, unknown> & { err?: unknown }

/** Without the first three where nothing is logged, so that such events are not even made. */
export interface Log {
  request?(event: LoggedRequest): void
  callback?(event: CallbackEvent): void
  transition?(event: TransitionEvent): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  flush(): void
}

const nothing = () => {}

export const silentLog: Log = {
  info: nothing,
  warn: nothing,
  error: nothing,
  flush: nothing,
}

export const logLevels = ['info', 'warn', 'error'] as const
