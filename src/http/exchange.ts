/** The request under way, as the stages of its road hand it on; each adds what it found. */
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalNotes } from '../core/model/journal.ts'
import type { Organisation } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import { readTraceContext, type TraceContext } from '../core/model/trace-context.ts'
import type { World } from '../core/world.ts'
import type { Credential, HttpService } from './http-service.ts'
import type { Operation } from './operation.ts'
import type { ServiceRequest } from './road/service-request.ts'

/** A request that no operation answers. */
export interface Unrouted {
  /** Those at its path, which take other methods. */
  operations: readonly Operation[]
  /** The path that it is to be asked at, where it is an operation's but for its spelling. */
  otherwise?: { answer: '400' | '301' | '308'; path: string }
}

export interface Exchange {
  readonly c: ServiceRequest
  readonly world: World
  readonly service: HttpService
  readonly baseUrl: string
  query: Readonly<Record<string, string>>
  /** The named parts of the path. */
  readonly params: Readonly<Record<string, string>>
  /** None where no operation answers. */
  readonly operation: Operation | undefined
  /** What is known of its path then. */
  readonly unrouted: Unrouted | undefined
  /** Of a HEAD: what a GET would answer is worked out, and nothing of what it would do is done. */
  readonly changesNothing: boolean
  /** What the journal says besides. */
  readonly notes: JournalNotes
  /** What it is part of, for a caller who keeps traces. */
  readonly trace: TraceContext | undefined
  /** The token that came with it, if one did. */
  credential: Credential | undefined
  /** The body as it came, and as JSON. */
  text: string | undefined
  body: unknown
  /** What the operation prepared. */
  prepared: unknown
  /** Why it will be refused: found before the commit, said in it. */
  refusal: Refusal | undefined
  /** The number of its entry in the world's recording, and the instant at which it is worked on. */
  recorded: { n: number; atUs: number } | undefined
  /** The response fault that it gets before it is worked on. */
  fault: ResponseFault | undefined
  /** Whose token it is, while that is good. */
  caller: Organisation | undefined
}

/** `answeredBy`: an operation, or what is known where there is none. */
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
    notes: firstNotes(c, routed && answeredBy.opens !== undefined && trace !== undefined),
    trace,
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

/** What led here already. `traced`: callbacks will come of it that may carry its context. */
function firstNotes({ method, takenFor }: ServiceRequest, traced: boolean): JournalNotes {
  if (!takenFor && method !== 'HEAD' && !traced) return {}
  const assumed: string[] = [...(takenFor?.assumed ?? [])]
  if (method === 'HEAD') assumed.push('head-requests')
  if (traced) assumed.push('callback-trace')
  return { assumed }
}

/** Does a part of the work on a request, inside of a commit; all that it changed is taken back where nothing is to change. */
export function working<T>({ world, changesNothing }: ReceivedExchange, work: () => T): T {
  return changesNothing ? world.commit.dryRun(work) : work()
}

/** As much of a request as decides what comes of it: what the stages inside the commit work on. */
export type ReceivedExchange = Omit<Exchange, 'c' | 'text' | 'unrouted'>
