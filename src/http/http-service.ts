/** What the road of a request asks of the service that it serves, besides what the core asks; handed in, never imported. */
import type * as z from 'zod'
import type { Assumptions, TransportAssumptions } from '../core/model/assumption.ts'
import type { Fact } from '../core/model/fact.ts'
import type { Organisation } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import type { Service } from '../core/model/simulated-service.ts'
import type { InstantUs } from '../core/model/time.ts'
import type { TraceContext } from '../core/model/trace-context.ts'
import type { World } from '../core/world.ts'
import type { Contract, ContractExamples, ContractOptions } from './contract.ts'
import type { Operation } from './operation.ts'

/** A token that the service issued. */
export interface Credential {
  issuedAtUs: InstantUs
  /** Whose it is; throws a `Refusal` when it is no longer good. */
  holder(): Organisation
}

/** A token that nobody asked for over HTTP. */
export interface IssuedToken extends Credential {
  /** Its text, as a caller would have been given it. */
  sign(): Promise<string>
}

export interface HttpService extends Service {
  /** In the order of the contract. */
  readonly operations: readonly Operation[]
  /** Headers that the journal keeps, in lower case and in this order. */
  readonly keptHeaders: readonly string[]
  /** Reads a bearer token; throws a `Refusal` for a text that the service did not issue. */
  readToken(world: World, token: string): Credential | Promise<Credential>
  /** Issues a token as if it had been asked for at an instant; to be called inside a commit. */
  issueToken(world: World, organisation: Organisation, atUs: InstantUs): IssuedToken
  /** The body of an error; `operation`: where it happened, if at one. */
  errorBody(refusal: Refusal, operation: Operation | undefined, assumptions: Assumptions): object
  /** Checks a part of a request as these assumptions have it; throws the refusal that names all that is wrong. */
  read<T>(schema: z.ZodType<T>, sent: unknown, assumptions: Assumptions): T
  /** Refuses fields or parameters that no schema names, where these assumptions say so. */
  refuseUnknown(fields: readonly string[], parameters: readonly string[], assumptions: Assumptions): void
  /** What is known of it besides operations and their fields. */
  readonly facts: readonly Fact[]
  contract(options: ContractOptions): Contract
  /** What a world really answered, for a contract that people read; as it would be at this base URL. */
  examples(baseUrl: string): Promise<ContractExamples>
}

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
  assumed: readonly (keyof TransportAssumptions)[]
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

/** Hono's `getPath` for apps that get the path below a world's base URL in their bindings: `/w/test-1` is already off. */
export function pathBelowBase(_request: Request, options?: { env?: unknown }): string {
  return pathOf((options?.env as { path: string } | undefined)?.path ?? '/')
}

/** A path without its query. */
export function pathOf(path: string): string {
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}
