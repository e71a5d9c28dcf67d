/**
 * What mfano tells the outside about itself: one line per event, never more than one write per turn of the event
 * loop. Lines are held back at most until the current turn ends and written together.
 */
import type { Diagnosis } from '../../core/model/diagnosis.ts'

/** A request to the simulated service or the control plane, answered. */
export interface LoggedRequest {
  world: string
  requestId: string
  method: string
  /** Path and query as they came, below the world's base URL. */
  path: string
  status: number
  /** From the first byte read to the answer, in milliseconds. */
  tookMs: number
  /** The scenario rule that decided. */
  rule?: string | undefined
  /** Why mfano itself failed; makes the line an error. */
  error?: string | undefined
}

/** One attempt to deliver a callback. */
export interface CallbackEvent {
  world: string
  callbackId: string
  url: string
  /** From 1. */
  attempt: number
  /** The receiver's answer; undefined when there was none. */
  status?: number | undefined
  /** Why the attempt failed; makes the line a warning. */
  error?: string | undefined
  /** What is behind that, and what to do. */
  diagnosis?: Diagnosis | undefined
  tookMs: number
}

/** A payment, or anything else with a lifecycle, went from one state to another. */
export interface TransitionEvent {
  world: string
  kind: string
  uuid: string
  /** Undefined when it has just been made. */
  from: string | undefined
  to: string
  /** Who or what moved it: a rule, the clock, the payer, an operator. */
  by: string
}

/** Anything that helps to understand a message; `err` holds an Error, whose stack is written too. */
export type LogFields = Record<string, unknown> & { err?: unknown }

export interface Log {
  /** Level info; error when the event has an error. */
  request(event: LoggedRequest): void
  /** Level info; warn when the event has an error. */
  callback(event: CallbackEvent): void
  /** Level info. */
  transition(event: TransitionEvent): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Writes what is held back, at once. For the end of the process. */
  flush(): void
}

const nothing = () => {}

/** Writes nothing. */
export const silentLog: Log = {
  request: nothing,
  callback: nothing,
  transition: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  flush: nothing,
}

export const logLevels = ['info', 'warn', 'error'] as const
