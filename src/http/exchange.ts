/** The state of a request on its way: each stage adds what it found. */

import { getQueryParam } from 'hono/utils/url'
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalNotes } from '../core/model/journal.ts'
import { inText } from '../core/model/mask.ts'
import type { Organisation } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import { readTraceContext, type TraceContext } from '../core/model/trace-context.ts'
import type { World } from '../core/world.ts'
import type { Connection, Credential, Env, HttpService } from './http-service.ts'
import type { Operation } from './operation.ts'

export interface Unrouted {
  operations: readonly Operation[]
  redirect?: { status: 301 | 308; path: string }
}

export interface Exchange {
  readonly c: ServiceRequest
  readonly world: World
  readonly service: HttpService
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  readonly params: Readonly<Record<string, string>>
  readonly operation: Operation | undefined
  readonly unrouted: Unrouted | undefined
  /** True for HEAD: the answer of a GET is computed and everything that it changed is rolled back. */
  readonly changesNothing: boolean
  readonly notes: JournalNotes
  readonly trace: TraceContext | undefined
  /** Those that conditions of the scenario read; undefined where none does. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The header `mfano-outcome`. */
  readonly outcome: string | undefined
  readonly idempotencyKey: string | undefined
  credential: Credential | undefined
  text: string | undefined
  body: unknown
  prepared: unknown
  /** Found before the commit, raised inside it, so that the journal gets it. */
  refusal: Refusal | undefined
  recorded: { n: number; atUs: number } | undefined
  fault: ResponseFault | undefined
  caller: Organisation | undefined
}

export function beginExchange(c: ServiceRequest, service: HttpService, answeredBy: Operation | Unrouted): Exchange {
  const routed = 'handle' in answeredBy
  const parent = c.header('traceparent')
  const trace = parent === undefined ? undefined : readTraceContext(parent, () => c.header('tracestate'))
  return {
    c,
    world: c.env.world,
    baseUrl: c.env.baseUrl,
    query: c.query,
    params: c.params,
    service,
    operation: routed ? answeredBy : undefined,
    unrouted: routed ? undefined : answeredBy,
    changesNothing: c.method === 'HEAD',
    notes: c.env.takenFor?.endsInSlash ? { assumed: ['trailing-slash'] } : {},
    trace,
    headers: c.env.world.core.scenario.headersRead.length > 0 ? headersRead(c) : undefined,
    outcome: c.header(OUTCOME),
    idempotencyKey: c.header('idempotency-key')?.trim(),
    credential: undefined,
    text: undefined,
    body: undefined,
    prepared: undefined,
    recorded: undefined,
    refusal: undefined,
    fault: undefined,
    caller: undefined,
  }
}

/** Chooses what happens to the payment that a request makes: a rule by its name, or a trigger. */
export const OUTCOME = 'mfano-outcome'

function headersRead(c: ServiceRequest): Record<string, string> {
  const { headersRead: names } = c.env.world.core.scenario
  return Object.fromEntries(names.map((name) => [name, inText(c.header(name.toLowerCase()) ?? '')]))
}

export function working<T>({ world, changesNothing }: Exchange, work: () => T): T {
  return changesNothing ? world.commit.dryRun(work) : work()
}

// A request to the service as the stages of its road ask about it.

export class ServiceRequest {
  readonly raw: Request
  readonly env: Env
  readonly path: string
  readonly params: Readonly<Record<string, string>>

  constructor(raw: Request, env: Env, path: string, params: Readonly<Record<string, string>>) {
    this.raw = raw
    this.env = env
    this.path = path
    this.params = params
  }

  get method(): string {
    return this.raw.method
  }

  get query(): Readonly<Record<string, string>> {
    return this.env.path.includes('?') ? (getQueryParam(this.raw.url) as Record<string, string>) : NOTHING
  }

  header(name: string): string | undefined {
    const { connection }: { connection: Connection } = this.env
    return connection.header ? connection.header(name) : (this.raw.headers.get(name) ?? undefined)
  }
}

const NOTHING: Readonly<Record<string, string>> = Object.freeze({})
