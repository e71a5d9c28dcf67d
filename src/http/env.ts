/** What the edge hands to every request, and what it is told about each. */
import type { TransportChoices } from '../model/assumption.ts'
import type { TraceContext } from '../model/trace-context.ts'
import type { World } from '../world/world.ts'

/** Part of an answer, before its connection is severed. */
export interface AnswerPart {
  status: number
  headers: Record<string, string>
  /** What the headers promise. */
  length: number
  bytes: Uint8Array
}

/** Ends the connection of a request, by a TCP reset or plainly, after part of an answer or nothing. */
export type Sever = (how: 'reset' | 'close', part?: AnswerPart) => Promise<Response>

/** One request and its answer, for logs. */
export interface RequestEvent {
  world: string
  requestId: string
  /** None where no operation answers. */
  operation: string | null
  method: string
  path: string
  status: number
  /** What the caller says that it is part of. */
  trace?: TraceContext
  rule?: string
  error?: unknown
}

/** Another spelling of an operation's path. */
export interface TakenFor {
  path: string
  assumed: readonly (keyof TransportChoices)[]
}

export interface Env {
  Bindings: {
    world: World
    /** The world's base URL as the caller reaches it. */
    baseUrl: string
    /** The path below the base URL. */
    path: string
    /** The operation's path that it is taken for, and the assumptions that let it. */
    takenFor?: TakenFor
    /** Ends the connection of this request. Hosts that cannot answer 502 instead. */
    sever?: Sever
    observe(event: RequestEvent): void
  }
}
