import type * as z from 'zod'
import type { Core } from '../core/core.ts'
import type { Assumptions } from '../core/model/assumption.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import type { Service } from '../core/model/kind.ts'
import type { Organisation, TraceContext } from '../core/model/payment.ts'
import type { Reason, Refusal, Refuse } from '../core/model/refusal.ts'
import type { InstantUs } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import type { Contract, ContractExamples, ContractOptions, Fact } from './contract.ts'
import type { Basis, JsonSchema } from './json-schema.ts'

/** The part of a call that helpers of operations need. They take only what their own refusals are declared in. */
export interface RefusalContext<Refuses extends Reason> {
  core: Core
  caller: Organisation
  refuse: Refuse<Refuses>
}

export interface Call<Params, Query, Body, Refuses extends Reason = never> extends RefusalContext<Refuses> {
  world: World
  params: Params
  query: Query
  body: Body
  prepared: unknown
  baseUrl: string
  trace: TraceContext | undefined
  headers: Readonly<Record<string, string>> | undefined
  outcome: string | undefined
  unread(...fields: string[]): void
  warn(warning: string): void
}

export interface Answer {
  status: number
  body?: unknown
  text?: string
  headers?: Record<string, string>
  /** Instead of a body: a list that is streamed, so that any length fits in memory. */
  list?: { before: string; items: Iterable<unknown>; after: string }
  rule?: string
  payment?: { seq: number; replayed: boolean }
  fault?: ResponseFault
  /** `seq` of the payment whose callback must be sent before this answer. */
  tellFirst?: number
}

export interface RequiredHeader {
  name: string
  why: string
  schema: JsonSchema
}

export interface AnswerContract<Schema extends z.ZodType = z.ZodType> {
  status: number
  description: string
  schema: Schema
  /** Says the envelope in which the data stands. */
  message?: string
}

/** In one place, so that contract and behaviour cannot differ. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations holds all request types
export interface Operation<Params = any, Query = any, Body = any, Refuses extends Reason = Reason> {
  id: string
  method: 'get' | 'post' | 'put'
  path: string
  tag: string
  summary: string
  description?: string
  basis: Basis
  source: string
  auth: 'bearer' | 'none'
  headers?: readonly RequiredHeader[]
  only?: { assumption: string; is: string }
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  answer: AnswerContract
  statusUnder?: (assumptions: Assumptions) => number
  /** Its own refusals. Those of the road come to every operation that passes it. */
  refuses?: readonly Refuses[]
  callback?: { schema: z.ZodType; description: string; basis: Basis; url: string }
  errorForm?: string
  opens?: string
  example?: (baseUrl: string) => object
  /** Slow work such as hashing a password, done before the commit so that it blocks no other request. */
  prepare?: (body: Body, world: World) => unknown
  /** Runs inside the commit, so it must be synchronous. Throws a `Refusal`. */
  handle(call: Call<Params, Query, Body, Refuses>): Answer
}

export type DeclaredOperation<
  Params = undefined,
  Query = undefined,
  Body = undefined,
  Refuses extends Reason = never,
> = Omit<Operation<Params, Query, Body, Refuses>, 'basis' | 'auth'> & Partial<Pick<Operation, 'auth'>>

export function operation<Params = undefined, Query = undefined, Body = undefined, Refuses extends Reason = never>(
  declared: DeclaredOperation<Params, Query, Body, Refuses>,
): Operation<Params, Query, Body, Refuses> {
  return { auth: 'bearer', ...declared, basis: basisOf(declared.source) }
}

/** A source begins with what it is: `specification, …`, `published …`, or else an assumption. */
export function basisOf(source: string): Basis {
  if (source.startsWith('specification')) return 'specified'
  return source.startsWith('published') ? 'published' : 'assumed'
}

/** Whether an Idempotency-Key means something to it: it makes something for an organisation. */
export function takesKey({ method, auth, body }: Operation): boolean {
  return method === 'post' && auth === 'bearer' && body !== undefined
}

// The port of a service for the HTTP road, besides what the core needs. Passed in, so that nothing here imports one.

export interface Credential {
  issuedAtUs: InstantUs
  /** Throws a `Refusal` when the token is no longer valid. */
  holder(): Organisation
}

export interface HttpService extends Service {
  readonly operations: readonly Operation[]
  readonly keptHeaders: readonly string[]
  readToken(world: World, token: string): Credential
  issueToken(world: World, organisation: Organisation, atUs: InstantUs): string
  errorBody(refusal: Refusal, operation: Operation | undefined, assumptions: Assumptions): object
  read<T>(schema: z.ZodType<T>, sent: unknown, assumptions: Assumptions): T
  refuseUnknown(fields: readonly string[], assumptions: Assumptions): void
  readonly facts: readonly Fact[]
  contract(options: ContractOptions): Contract
  examples(baseUrl: string): Promise<ContractExamples>
}

export interface AnswerPart {
  status: number
  headers: Record<string, string>
  length: number
  bytes: Uint8Array
}

export type Sever = (how: 'reset' | 'close', part?: AnswerPart) => Promise<Response>

export interface RequestEvent
  extends Pick<JournalEntry, 'requestId' | 'operation' | 'method' | 'path' | 'status' | 'rule'> {
  world: string
  trace?: TraceContext | undefined
  error?: unknown
}

export interface TakenFor {
  path: string
  endsInSlash: boolean
}

export interface Connection {
  /** Hosts that cannot cut a connection answer 502 instead. */
  sever?: Sever
  /** By names in lower case. `Headers` of the platform take longer to make. */
  headers?: ReadonlyMap<string, string>
}

export interface Env {
  world: World
  baseUrl: string
  path: string
  connection: Connection
  takenFor?: TakenFor
  observe(event: RequestEvent): void
}
