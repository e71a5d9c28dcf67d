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
  trace?: TraceContext | undefined
  rule?: string | undefined
  error?: unknown
}

/** Another spelling of an operation's path. */
export interface TakenFor {
  path: string
  assumed: readonly (keyof TransportChoices)[]
}

/** What a host knows of the connection that a request came by, and what it does faster than its `Request`. */
export interface Connection {
  /** Ends it. Hosts that cannot answer 502 instead. */
  sever?: Sever
  /** A header of the request, by its name in small letters, as `Headers` would give it. */
  header?(name: string): string | undefined
  /** The whole body of a request that says how long it is; to be asked for once, in place of the request's. */
  body?(): Promise<Uint8Array>
}

/** What a request to the service comes with. */
export interface Env {
  world: World
  /** The world's base URL as the caller reaches it. */
  baseUrl: string
  /** The path below the base URL. */
  path: string
  connection: Connection
  observe(event: RequestEvent): void
}
