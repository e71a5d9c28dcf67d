import { getQueryParam } from 'hono/utils/url'
import type { TransportAssumptions } from '../core/model/assumption.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalNotes } from '../core/model/journal.ts'
import { inText } from '../core/model/mask.ts'
import type { Organisation, TraceContext } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import type { World } from '../core/world.ts'
import type { Connection, Credential, Env, HttpService } from './http-service.ts'
import type { Operation } from './operation.ts'

export interface Unrouted {
  operations: readonly Operation[]
  redirect?: { status: 301 | 308; path: string }
}

export class Exchange {
  readonly raw: Request
  readonly method: string
  readonly env: Env
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly world: World
  readonly service: HttpService
  readonly baseUrl: string
  readonly operation: Operation | undefined
  readonly unrouted: Unrouted | undefined
  /** True for HEAD: the answer of a GET is computed and everything that it changed is rolled back. */
  readonly changesNothing: boolean
  readonly notes: JournalNotes
  readonly trace: TraceContext | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
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

  constructor({ raw, env, path, params }: Arrived, service: HttpService, answeredBy: Operation | Unrouted) {
    this.raw = raw
    this.method = raw.method
    this.env = env
    this.path = path
    this.params = params
    this.query = env.path.includes('?') ? (getQueryParam(raw.url) as Record<string, string>) : NOTHING
    this.world = env.world
    this.service = service
    this.baseUrl = env.baseUrl
    const routed = 'handle' in answeredBy
    this.operation = routed ? answeredBy : undefined
    this.unrouted = routed ? undefined : answeredBy
    this.changesNothing = raw.method === 'HEAD'
    this.notes = env.takenFor?.endsInSlash ? { assumed: ['trailing-slash'] } : {}
    const parent = this.header('traceparent')
    this.trace = parent === undefined ? undefined : readTraceContext(parent, () => this.header('tracestate'))
    const { headersRead } = env.world.core.scenario
    this.headers =
      headersRead.length > 0
        ? Object.fromEntries(headersRead.map((name) => [name, inText(this.header(name.toLowerCase()) ?? '')]))
        : undefined
    this.outcome = this.header(OUTCOME)
    this.idempotencyKey = this.header('idempotency-key')?.trim()
  }

  header(name: string): string | undefined {
    const { connection }: { connection: Connection } = this.env
    return connection.header ? connection.header(name) : (this.raw.headers.get(name) ?? undefined)
  }
}

type Arrived = Pick<Exchange, 'raw' | 'env' | 'path' | 'params'>

export const OUTCOME = 'mfano-outcome'

/** Names the assumption in the journal, because it decided what happened. */
export function assumed<Id extends keyof TransportAssumptions>(
  { world, notes }: Exchange,
  id: Id,
): TransportAssumptions[Id] {
  if (!notes.assumed?.includes(id)) notes.assumed = [...(notes.assumed ?? []), id]
  return world.core.scenario.assumptions[id]
}

const NOTHING: Readonly<Record<string, string>> = Object.freeze({})

/** Later versions may append parts, which the recommendation forbids to pass on. */
const PARENT = /^(?!ff)([\da-f]{2})(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(-.*)?$/
const STATE = /^[\t\x20-\x7e]{1,512}$/

export function readTraceContext(
  parent: string | undefined,
  state: () => string | undefined,
): TraceContext | undefined {
  const [, version, ids, more] = (parent !== undefined && PARENT.exec(parent)) || []
  if (ids === undefined || (version === '00' && more !== undefined)) return undefined
  const given = state()
  return { parent: `00${ids}`, ...(given !== undefined && STATE.test(given) && { state: given }) }
}
