/** A recording: everything that came to a world from outside, in the order in which it was worked on. */
import type { CommandKind } from './commands.ts'
import type { JsonObject } from './model/payment.ts'
import type { FieldProblem } from './model/refusal.ts'
import type { InstantUs } from './model/time.ts'

/** A scenario in it is stored so that it can be loaded elsewhere. */
export type RecordedCommand = { command: CommandKind } & Record<string, unknown>

/** Enough to repeat the request, without any secret from outside the sandbox. */
export interface RecordedRequest {
  method: string
  path: string
  baseUrl: string
  headers: Record<string, string>
  body: string | null
  parsed: boolean
  refusal?: { code: string; details: string; status: number; message: string; fields: FieldProblem[] }
  assumed?: string[]
  unread?: string[]
  /** The result of slow preparations, such as a hashed secret. */
  prepared?: unknown
  severable: boolean
}

export type RecordedNote = { act: string } & JsonObject

export type Input =
  | { command: RecordedCommand }
  | { steps: { byUs: InstantUs; limit: number } }
  /** A stage of a request. As a number: the entry that holds the request. */
  | { stage: 'fault' | 'answer'; request: number | RecordedRequest }
  | { note: RecordedNote }

export type RecordedEntry = { atUs: InstantUs } & Input
