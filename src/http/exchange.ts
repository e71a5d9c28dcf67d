import { getQueryParam } from 'hono/utils/url'
import type { TransportAssumptions } from '../core/model/assumption.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalNotes } from '../core/model/journal.ts'
import { inText } from '../core/model/mask.ts'
import type { Organisation, TraceContext } from '../core/model/payment.ts'
import type { Refusal } from '../core/model/refusal.ts'
import type { Connection, Credential, Env, HttpService, Operation } from './operation.ts'

export interface Unrouted {
  operations: readonly Operation[]
  redirect?: { status: 301 | 308; path: string }
}

export type Exchange = ReturnType<typeof exchangeOf>

interface Arrived {
  raw: Request
  env: Env
  path: string
  params: Readonly<Record<string, string>>
}

export function exchangeOf(
  { raw, env, path, params }: Arrived,
  service: HttpService,
  answeredBy: Operation | Unrouted,
) {
  const { connection }: { connection: Connection } = env
  const header = (name: string): string | undefined =>
    connection.header ? connection.header(name) : (raw.headers.get(name) ?? undefined)
  const isRouted = 'handle' in answeredBy
  const notes: JournalNotes = env.takenFor?.endsInSlash ? { assumed: ['trailing-slash'] } : {}
  const parent = header('traceparent')
  const { headersRead } = env.world.core.scenario
  return {
    raw,
    method: raw.method,
    env,
    path,
    params,
    query: env.path.includes('?') ? (getQueryParam(raw.url) as Readonly<Record<string, string>>) : NOTHING,
    world: env.world,
    service,
    baseUrl: env.baseUrl,
    operation: isRouted ? answeredBy : undefined,
    unrouted: isRouted ? undefined : answeredBy,
    /** True for HEAD: the answer of a GET is computed and everything that it changed is rolled back. */
    changesNothing: raw.method === 'HEAD',
    notes,
    trace: parent === undefined ? undefined : readTraceContext(parent, () => header('tracestate')),
    headers:
      headersRead.length > 0
        ? Object.fromEntries(headersRead.map((name) => [name, inText(header(name.toLowerCase()) ?? '')]))
        : undefined,
    outcome: header(OUTCOME),
    idempotencyKey: header('idempotency-key')?.trim(),
    header,
    credential: later<Credential>(),
    text: later<string>(),
    body: later<unknown>(),
    prepared: later<unknown>(),
    /** Found before the commit, raised inside it, so that the journal gets it. */
    refusal: later<Refusal>(),
    recorded: later<{ n: number; atUs: number }>(),
    fault: later<ResponseFault>(),
    caller: later<Organisation>(),
  }
}

/** Found by a later stage. */
function later<Part>(): Part | undefined {
  return undefined
}

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
