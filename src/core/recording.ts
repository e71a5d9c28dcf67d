/** What a recording holds: what came to a world from outside, in the order in which it was worked on. */
import type { CommandKind } from './commands.ts'
import type { JsonObject } from './model/payment.ts'
import type { FieldProblem } from './model/refusal.ts'
import type { InstantUs } from './model/time.ts'

/** A command as it is kept: a scenario in it is one that can be loaded elsewhere. */
export type RecordedCommand = { command: CommandKind } & Record<string, unknown>

/** What is kept of a request: enough to work on it again, and no secret that is not the sandbox's own. */
export interface RecordedRequest {
  method: string
  /** With the query, below the world's base URL. */
  path: string
  baseUrl: string
  headers: Record<string, string>
  body: string | null
  /** The body was read as JSON. */
  parsed: boolean
  /** Why it was to be refused before it was worked on. */
  refusal?: { code: string; details: string; status: number; message: string; fields: FieldProblem[] }
  /** Assumptions that had been asked how it is taken. */
  assumed?: string[]
  /** What slow preparations gave. */
  prepared?: unknown
  /** Its connection could be severed. */
  severable: boolean
}

/** Something that the judge of an app did outside of the world: what it asked of the app, or did to it. */
export type RecordedNote = { act: string } & JsonObject

/** What came from outside, or only with time. */
export type Input =
  | { command: RecordedCommand }
  /** Steps due by an instant, at most so many. */
  | { steps: { byUs: InstantUs; limit: number } }
  /** A stage of a request, by the number of the entry that has the request. */
  | { stage: 'fault' | 'answer'; request: number | RecordedRequest }
  | { note: RecordedNote }

/** An entry of a recording: an input, and the world's time then. */
export type RecordedEntry = { atUs: InstantUs } & Input
