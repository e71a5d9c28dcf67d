/** One operation of a service as the road of a request takes it: its contract, its checks and what it does. */
import type * as z from 'zod'
import type { Core } from '../core/core.ts'
import type { Assumptions } from '../core/model/assumption.ts'
import type { Basis } from '../core/model/basis.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { Organisation } from '../core/model/payment.ts'
import type { TraceContext } from '../core/model/trace-context.ts'
import type { World } from '../core/world.ts'
import type { JsonSchema } from './json-schema.ts'

/** What a handler is given: a world, who calls, and the validated request. */
export interface Call<Params, Query, Body> {
  world: World
  core: Core
  /** The organisation of the token; for operations without authentication, there is none. */
  caller: Organisation
  params: Params
  query: Query
  body: Body
  /** What `prepare` gave. */
  prepared: unknown
  /** The world's base URL as the caller reaches it. */
  baseUrl: string
  /** What the request is part of, for a caller who keeps traces. */
  trace: TraceContext | undefined
  /** Notes a field of the request that nothing read, for the journal. */
  unread(...fields: string[]): void
  /** Notes a documented limit that was broken and is not enforced, for the journal. */
  warn(warning: string): void
}

/** What a handler answers. */
export interface Answer {
  status: number
  /** Printed with JSON.stringify. */
  body?: unknown
  /** The body's text, where it is not printed from `body`; an empty one is none. */
  text?: string
  headers?: Record<string, string>
  /** A long list instead of a body: text before, items, text after. Sent as it is read, in bounded memory. */
  list?: { before: string; items: Iterable<unknown>; after: string }
  /** The rule that decided the payment that was made. */
  rule?: string
  /** The payment that was made, or that answers for a request that came before. */
  payment?: { seq: number; replayed: boolean }
  /** What becomes of it on its way, when a rule says so. */
  fault?: ResponseFault
  /** The payment whose merchant is told before this is sent. */
  tellFirst?: number
}

/** A header that an operation does not work without. */
export interface RequiredHeader {
  name: string
  /** The second half of a sentence: `identifies the calling device`. */
  why: string
  schema: JsonSchema
}

/** An answer in the contract. */
export interface AnswerContract<Schema extends z.ZodType = z.ZodType> {
  status: number
  description: string
  schema: Schema
}

/** One operation of the service: its contract, its checks and what it does, in one place. */
// biome-ignore lint/suspicious/noExplicitAny: a list of operations holds all request types
export interface Operation<Params = any, Query = any, Body = any> {
  /** The name in the contract, the journal and scenarios. */
  id: string
  method: 'get' | 'post' | 'put'
  /** Below the base URL, with `{names}`. */
  path: string
  tag: string
  summary: string
  description?: string
  basis: Basis
  /** Where the fact is from: the specification's section or the published page. */
  source: string
  /** `none` only for token issuance. */
  auth: 'bearer' | 'none'
  /** Headers that it needs. */
  headers?: readonly RequiredHeader[]
  /** Exists only while an assumption has this value. */
  only?: { assumption: string; is: string }
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  answer: AnswerContract
  /** The answer's status, where an assumption decides it. */
  statusUnder?: (assumptions: Assumptions) => number
  /** Statuses that it refuses with besides those of its shape. */
  refuses?: readonly number[]
  /** The callback that the operation leads to: its body, and where its address comes from. */
  callback?: { schema: z.ZodType; description: string; basis: Basis; url: string }
  /** The name of an error form of its own, as the service knows it. */
  errorForm?: string
  /** The kind of payment that it begins. */
  opens?: string
  /** A request body for readers, which a test sends. `baseUrl`: the world's, as the caller reaches it. */
  example?: (baseUrl: string) => object
  /** Slow work at the edge, before the transaction: hashing a password. It may be a promise. */
  prepare?: (body: Body, world: World) => unknown
  /** The straight line: read, perform, present. Synchronous, inside the commit; throws a `Refusal`. */
  handle(call: Call<Params, Query, Body>): Answer
  /** Turns the answer into what is sent, after the commit and after the journal: signing a token. */
  finish?: (call: { world: World }, answer: Answer) => Promise<Answer>
}

/** Types a handler from its schemas. */
export function operation<Params = undefined, Query = undefined, Body = undefined>(
  contract: Operation<Params, Query, Body>,
): Operation<Params, Query, Body> {
  return contract
}
