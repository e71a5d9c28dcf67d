import { getQueryParam } from 'hono/utils/url'
import type { TransportAssumptions } from '../core/model/assumption.ts'
import type { ResponseFault } from '../core/model/faults.ts'
import type { JournalNotes } from '../core/model/journal.ts'
import { inText, maskPath } from '../core/model/mask.ts'
import { must } from '../core/model/must.ts'
import type { Organisation, TraceContext } from '../core/model/payment.ts'
import { commonReasons, type Refusal, refused } from '../core/model/refusal.ts'
import { isOff } from '../core/response-faults.ts'
import type { Answer, Connection, Credential, Env, HttpService, Operation, TakenFor } from './operation.ts'

export interface Unrouted {
  operations: readonly Operation[]
  redirect?: { status: 301 | 308; path: string }
}

/** Parts that later stages add. */
interface Found {
  credential?: Credential
  text?: string
  body?: unknown
  prepared?: unknown
  /** Found before the commit, raised inside it, so that the journal gets it. */
  refusal?: Refusal
  recorded?: { n: number; atUs: number }
  fault?: ResponseFault
  caller?: Organisation
}

export type Exchange = ReturnType<typeof exchangeOf> & Found

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
  const sentHeaders = connection.headers ?? new Map(raw.headers)
  const header = (name: string) => sentHeaders.get(name)
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
    sentHeaders,
    header,
  }
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

export function respelled(operations: readonly Operation[], sent: string): TakenFor | undefined {
  const decoded = decodedUnreserved(sent)
  const path = decoded.replace(/(?<=.)\/$/, '')
  if (path === sent || operationsAt(operations, path).length === 0) return undefined
  return { path, endsInSlash: path !== decoded }
}

/** RFC 3986: only these characters mean the same when percent-encoded. */
function decodedUnreserved(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded
  })
}

export function operationsAt(operations: readonly Operation[], path: string): Operation[] {
  return operations.filter((one) => new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
}

// Finds the operation that an unknown path most likely means, such as that of `/stk/new` for `/stk-push`.

interface MethodAtPath {
  method: string
  path: string
}

/** Shorter words, such as `v` or `to`, say nothing. */
const LETTERS_MIN = 3

/** Undefined if no operation shares a word with the path. Words that most operations have do not count. */
function nearestOperation<Operation extends MethodAtPath>(
  operations: readonly Operation[],
  method: string,
  path: string,
): Operation | undefined {
  const asked = wordsOf(path)
  const counts = new Map<string, number>()
  for (const one of operations)
    for (const word of new Set(wordsOf(one.path))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const telling = (word: string) => (counts.get(word) ?? 0) < operations.length / 2
  const scored = operations.map((operation) => {
    const words = wordsOf(operation.path).filter(telling)
    const shared = words.filter((word) => asked.some((one) => one === word || one.startsWith(word)))
    const isSameMethod = operation.method.toUpperCase() === method.toUpperCase()
    return { operation, score: shared.length === 0 ? 0 : shared.length * 4 + (isSameMethod ? 2 : 0) - words.length }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return best > 0 ? scored.find(({ score }) => score === best)?.operation : undefined
}

function wordsOf(path: string): string[] {
  return (path.split('?')[0] ?? '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= LETTERS_MIN)
}

/** Hides the error, because its text may hold internals. */
export function internalFailure(requestId: string): Refusal {
  return refused(commonReasons.brokenDown, `mfano failed; its log says why, under ${requestId}`)
}

export function unknownPath({ env, method }: Exchange, operations: readonly MethodAtPath[] = []): Refusal {
  const { takenFor } = env
  const path = maskPath(env.path).split('?')[0]
  const near = takenFor ? undefined : nearestOperation(operations, method, env.path)
  const meant = takenFor
    ? `; it is written ${takenFor.path}`
    : near
      ? `; did you mean ${near.method.toUpperCase()} ${near.path}?`
      : ''
  return refused(commonReasons.unknownPath, `nothing is at ${method} ${path}${meant}`)
}

function otherMethod({ method }: Exchange, allowed: readonly string[]): Refusal {
  return refused(commonReasons.otherMethod, `${method} is not possible here; possible: ${allowed.join(', ')}`)
}

export function answerUnrouted(exchange: Exchange): Answer {
  const { redirect } = must(exchange.unrouted)
  if (redirect) return { status: redirect.status, text: '', headers: { location: addressOf(exchange, redirect.path) } }
  const methods = methodsOf(exchange)
  if (methods.length === 0) throw unknownPath(exchange, exchange.world.core.service.operations)
  throw assumed(exchange, 'unsupported-method') === '404' ? unknownPath(exchange) : otherMethod(exchange, methods)
}

export function methodsOf({ unrouted, world }: Exchange): string[] {
  const { assumptions } = world.core.scenario
  const there = unrouted?.operations.filter((one) => !isOff(one, assumptions)) ?? []
  return [...new Set(there.map(({ method }) => method.toUpperCase()))]
}

function addressOf({ env }: Exchange, path: string): string {
  const query = env.path.indexOf('?')
  return `${env.baseUrl}${path}${query === -1 ? '' : env.path.slice(query)}`
}
