import { getQueryParams } from 'hono/utils/url'
import type * as z from 'zod'
import { type CommandOutcome, emitRequestEvent } from '../../core/core.ts'
import { inText, maskBody, maskPath } from '../../core/model/mask.ts'
import { isRecord, must } from '../../core/model/must.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { commonReasons, type Reason, Refusal, refused, refuseUnder } from '../../core/model/refusal.ts'
import { httpDate } from '../../core/model/time.ts'
import { isOff } from '../../core/response-faults.ts'
import { storageRefusal } from '../../core/sql.ts'
import type { World } from '../../core/world.ts'
import { type Exchange, OUTCOME, undoForHead } from '../exchange.ts'
import type { Credential, RequestEvent } from '../http-service.ts'
import { type Answer, type Call, type Operation, type RequiredHeader, takesKey } from '../operation.ts'
import { assumed, jsonResponse, parseJson, readBodyText, requireJson } from '../read-body.ts'
import {
  describe,
  findFault,
  isWatched,
  joined,
  listText,
  sendFaulty,
  sleep,
  spoilAnswer,
  streamed,
  turnedAway,
  variedAnswer,
  variedList,
} from '../response-fault.ts'
import { invisibleLetters, unknownFields } from '../validate.ts'
import { asRecorded, entryOf, recordedStage } from './journal.ts'
import { answerUnrouted, internalFailure, methodsOf, operationsAt, unknownPath } from './paths.ts'

/**
 * One commit validates, handles and journals, so that an answer and its effects are stored together. A refusal ends the
 * same way.
 */
export async function serve(exchange: Exchange, operation: Operation): Promise<Response> {
  const { world } = exchange
  // Under way until it is answered, whatever it asks for.
  const end = world.traffic.begin()
  try {
    await receive(exchange, operation)
    if (isWatched(exchange, operation)) await applyFault(exchange, operation)
    const { fault } = exchange
    if (fault?.latencyMs !== undefined && !fault.workFirst) await sleep(exchange, fault.latencyMs)

    const done = await world.commit.submit(
      () => recordedStage(exchange, 'answer', () => handle(exchange, operation)),
      (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
    )
    exchange.env.observe(done.event)
    const { answer, requestId, text } = done
    if (answer.tellFirst !== undefined) await callbacksAttempted(world, answer.tellFirst)
    if (!operation.finish || answer.status >= 300) {
      const response = respond(exchange, requestId, answer, text)
      // Awaits promises only, to save a tick for answers that are ready.
      return response instanceof Promise ? await response : response
    }
    const finished = { ...answer, ...(await operation.finish({ world }, answer)) }
    return await respond(exchange, requestId, finished, JSON.stringify(finished.body))
  } catch (error) {
    return serveFailure(exchange, error)
  } finally {
    end()
  }
}

/** In a commit of its own, because a delay must not hold up the commit that answers. */
function applyFault(exchange: Exchange, operation: Operation): Promise<void> {
  return exchange.world.commit.submit(() => recordedStage(exchange, 'fault', () => findFault(exchange, operation)))
}

async function callbacksAttempted(world: World, paymentSeq: number): Promise<void> {
  const callbacks = world.core.store.callbacks.ofPayment(paymentSeq)
  await Promise.all(callbacks.map(({ id }) => world.deliverer.attempted(id)))
}

/** Also journalled, so that a wrong URL in an app can be found. */
export async function serveUnknown(exchange: Exchange): Promise<Response> {
  const end = exchange.world.traffic.begin()
  try {
    const { answer, requestId, text, event } = await exchange.world.commit.submit(
      () => recordedStage(exchange, 'answer', () => answerUnrouted(exchange)),
      (outcome) => asRecorded(exchange, () => conclude(exchange, outcome)),
    )
    exchange.env.observe(event)
    const response = await respond(exchange, requestId, answer, text)
    if (answer.status === 405) response.headers.set('allow', methodsOf(exchange).join(', '))
    return response
  } catch (error) {
    return serveFailure(exchange, error)
  } finally {
    end()
  }
}

/**
 * For failures outside a commit: the world is gone, or mfano is broken. Not journalled, since nothing can be stored.
 */
function serveFailure({ env, method, service }: Exchange, error: unknown): Response {
  const { world, path } = env
  const known = error instanceof Refusal
  const told = storageRefusal(error)
  const refusal = told instanceof Refusal ? told : internalFailure('no request id')
  env.observe({
    world: world.id,
    requestId: '-',
    operation: null,
    method,
    path: maskPath(path),
    status: refusal.status,
    ...(!known && { error }),
  })
  return jsonResponse(service.errorBody(refusal, undefined, world.core.scenario.assumptions), {
    status: refusal.status,
    headers: { date: httpDate(world.core.clock.now()) },
  })
}

// The stages that may wait: signature of the token, body, slow preparations. Parts that nothing reads are noted.

async function receive(exchange: Exchange, operation: Operation): Promise<void> {
  try {
    if (isOff(operation, exchange.world.core.scenario.assumptions)) throw unknownPath(exchange)
    if (operation.auth === 'bearer') {
      const credential = authenticate(exchange)
      // Awaits promises only, to save a tick.
      exchange.credential = credential instanceof Promise ? await credential : credential
    }
    for (const header of operation.headers ?? []) requireHeader(exchange, header)
    const { method, prepare, body } = operation
    if (method !== 'get') exchange.text = await readBodyText(exchange)
    noteUnread(exchange, operation)
    if (exchange.text !== undefined && body) {
      requireJson(exchange)
      exchange.body = parseJson(exchange.text)
      // A flat body with as many keys as colons repeats none, so that the slow search is spared.
      const written = exchange.text.match(/"\s*:/g)?.length ?? 0
      const repeated = written > Object.keys(Object(exchange.body)).length ? repeatedKeys(exchange.text) : []
      if (repeated.length > 0) note(exchange, repeated)
    }
    if (prepare && body) exchange.prepared = await prepare(read(exchange, body), exchange.world)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

function requireHeader(exchange: Exchange, { name, why }: RequiredHeader): void {
  if (exchange.header(name.toLowerCase())?.trim()) return
  throw refused(commonReasons.headerMissing, `${name}: is required, it ${why}, got nothing`, `${name} is required`)
}

function read<T>({ service, world, body }: Exchange, schema: z.ZodType<T>): T {
  return service.read(schema, body, world.core.scenario.assumptions)
}

const MOST_TOLD = 100

/** Headers that are noted, because mfano does not follow them. A value that matches asks for nothing else. */
const UNREAD_HEADERS: Readonly<Record<string, RegExp | undefined>> = {
  Accept: /\*\/\*|application\/\*|json/i,
  'Content-Digest': undefined,
  'Content-Encoding': undefined,
  'Content-MD5': undefined,
  Cookie: undefined,
  Expect: /^100-continue$/i,
  'Idempotency-Key': undefined,
  'If-Match': undefined,
  'If-Modified-Since': undefined,
  'If-None-Match': undefined,
  'If-Range': undefined,
  'If-Unmodified-Since': undefined,
  Prefer: undefined,
  Range: undefined,
  Trailer: undefined,
  'X-HTTP-Method-Override': undefined,
  'X-Idempotency-Key': undefined,
}
const spelled = new Map(Object.keys(UNREAD_HEADERS).map((name) => [name.toLowerCase(), name]))

/** Loops without callbacks, for speed: it runs for every request. */
function noteUnread(exchange: Exchange, operation: Operation): void {
  const { raw, env, text, world } = exchange
  const unread: string[] = []
  for (const lower of env.connection.headerNames?.() ?? raw.headers.keys()) {
    const name = spelled.get(lower)
    if (name === undefined || UNREAD_HEADERS[name]?.test(exchange.header(lower) ?? '')) continue
    if (name === 'Content-Encoding' && operation.body) continue
    const isKey = name === 'Idempotency-Key' && takesKey(operation)
    if (!isKey || world.core.scenario.assumptions['idempotency-key'] === 'ignored') unread.push(name)
  }
  const charset = text !== undefined && /charset\s*=\s*"?([^\s";]+)/i.exec(exchange.header('content-type') ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) unread.push('Content-Type: charset')
  const hasBody =
    text === undefined
      ? Number(exchange.header('content-length') ?? 0) > 0 || exchange.header('transfer-encoding') !== undefined
      : !/^\s*(?:\{\s*\})?\s*$/.test(text)
  if (!operation.body && hasBody) unread.push('body')
  if (env.path.includes('?'))
    for (const [name, values] of Object.entries(getQueryParams(raw.url) as Record<string, string[]>))
      if (values.length > 1) unread.push(`?${name} (repeated)`)
  if (unread.length > 0) note(exchange, unread)
}

function note({ notes }: Exchange, unread: readonly string[]): void {
  notes.unread = [...(notes.unread ?? []), ...unread.slice(0, MOST_TOLD).map((one) => inText(one))]
}

/** Keys that an object has twice. The last counts, as in most readers of JSON. */
function repeatedKeys(json: string): string[] {
  const repeated = new Set<string>()
  const open: { prefix: string; at: string; keys: Set<string> }[] = []
  let before = ''
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    const within = open.at(-1)
    if (token === '{' || token === '[') {
      const prefix = within ? (within.at === '' ? within.prefix : `${within.at}.`) : ''
      open.push({ prefix, at: '', keys: new Set() })
    } else if (token === '}' || token === ']') open.pop()
    else if (token === ':' && within) {
      within.at = `${within.prefix}${JSON.parse(before)}`
      if (within.keys.has(within.at)) repeated.add(within.at)
      within.keys.add(within.at)
    }
    before = token
  }
  return [...repeated].map((key) => `${key} (repeated)`)
}

function authenticate(exchange: Exchange): Credential | Promise<Credential> {
  const { service, world } = exchange
  const header = exchange.header('authorization')
  if (header === undefined || header.trim() === '') {
    throw refused(
      commonReasons.tokenMissing,
      'Authorization: is required, expected "Bearer <ACCESS_TOKEN>", got nothing',
      'Authorization is required',
    )
  }
  // The usual spelling is read without splitting.
  const usual = header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  if (usual !== '' && !/\s/.test(usual)) return service.readToken(world, usual)
  const [scheme, token, ...rest] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw refused(
      commonReasons.tokenMalformed,
      'Authorization: must be "Bearer <ACCESS_TOKEN>"',
      'Authorization must be "Bearer <ACCESS_TOKEN>"',
    )
  }
  return service.readToken(world, token)
}

export function handle(exchange: Exchange, operation: Operation): Answer {
  const { fault, credential } = exchange
  if (fault && !fault.executed) throw turnedAway(fault)
  // The caller is checked before the fields: an expired token is 401, whatever the body.
  exchange.caller = credential?.holder()
  if (exchange.refusal) throw exchange.refusal
  return undoForHead(exchange, () => {
    const call = toCall(exchange, operation)
    return exchange.idempotencyKey && takesKey(operation)
      ? oncePerKey(exchange, operation, () => operation.handle(call))
      : operation.handle(call)
  })
}

export function readFields(exchange: Exchange, operation: Operation) {
  const { world, service, body: sent } = exchange
  const { assumptions } = world.core.scenario
  const query = operation.query ? service.read(operation.query, exchange.query, assumptions) : undefined
  const params = operation.params ? service.read(operation.params, exchange.params, assumptions) : undefined
  const body = operation.body ? service.read(operation.body, sent, assumptions) : undefined
  const unknown = unknownFields(sent, body)
  service.refuseUnknown(unknown, assumptions)
  const unknownParameters = unknownFields(exchange.query, query ?? {})
  return { query, params, body, unread: [...unknown, ...unknownParameters.map((name) => `?${name}`)] }
}

function toCall(exchange: Exchange, operation: Operation) {
  const { world, baseUrl, caller, prepared, notes, trace, headers, outcome } = exchange
  const unread = (...fields: string[]) => {
    if (fields.length > 0) notes.unread = [...(notes.unread ?? []), ...fields]
  }
  const warn = (warning: string) => {
    notes.warnings = [...(notes.warnings ?? []), warning]
  }
  if (outcome !== undefined && operation.opens === undefined)
    warn(`${OUTCOME} has no effect here: it chooses for requests that make a payment.`)
  // Before the fields are read, because such a letter may be why they are refused.
  for (const part of [exchange.query, exchange.body])
    if (isRecord(part)) for (const warning of invisibleLetters(part)) warn(warning)
  const { query, params, body, unread: unknown } = readFields(exchange, operation)
  unread(...unknown)
  return {
    world,
    core: world.core,
    caller: caller as Organisation,
    query,
    params,
    body,
    prepared,
    baseUrl,
    trace,
    headers,
    outcome,
    unread,
    warn,
    refuse: (...refusal) => refuseUnder(world.core.scenario.assumptions)(...refusal),
  } satisfies Call<unknown, unknown, unknown, Reason>
}

export interface Concluded {
  answer: Answer
  text: string | undefined
  requestId: string
  event: RequestEvent
}

export function conclude(exchange: Exchange, outcome: CommandOutcome<Answer>): Concluded {
  const { env, world, notes } = exchange
  const { store, ids } = world.core
  const canSever = env.connection.sever !== undefined
  const seq = store.counters.next('journal')
  const requestId = `req_${seq.toString(36).padStart(7, '0')}${ids.of('request', seq).text(6, 'abcdefghjkmnpqrstvwxyz')}`
  const { intact, refusal, failure } = answerTo(exchange, outcome, requestId)
  const answer = variedAnswer(
    exchange,
    spoilAnswer(exchange, variedList(exchange, intact), joined(exchange.fault, intact.fault)),
  )
  const text = answer.list ? undefined : (answer.text ?? JSON.stringify(answer.body))
  const rule = answer.fault?.by ?? refusal?.rule ?? answer.rule ?? null
  if (intact.payment?.replayed) notes.replayed = true
  if (answer.fault) notes.fault = describe(answer.fault, canSever)
  const entry = entryOf(exchange, { seq, requestId, answer, text, rule, paymentSeq: intact.payment?.seq ?? null })
  store.journal.insert(entry)
  emitRequestEvent(world.core, entry)
  const event: RequestEvent = {
    world: world.id,
    requestId,
    operation: entry.operation,
    method: entry.method,
    path: entry.path,
    status: entry.status,
    trace: exchange.trace,
    rule: rule ?? undefined,
    error: failure,
  }
  return { answer, text, requestId, event }
}

function answerTo({ path, service, operation, world }: Exchange, outcome: CommandOutcome<Answer>, requestId: string) {
  if (outcome.ok) return { intact: outcome.value, refusal: undefined, failure: undefined }
  const { error } = outcome
  const refusal = error instanceof Refusal ? error : internalFailure(requestId)
  // A wrong method is refused in the error form of the path's operations.
  const there = operation ?? operationsAt(service.operations, path)[0]
  const body = service.errorBody(refusal, there, world.core.scenario.assumptions)
  const intact: Answer = { status: refusal.status, body }
  return { intact, refusal, failure: error instanceof Refusal ? undefined : error }
}

function respond(
  exchange: Exchange,
  requestId: string,
  answer: Answer,
  text: string | undefined,
): Response | Promise<Response> {
  const { method, world, operation } = exchange
  const date = httpDate(world.core.clock.now())
  const headers: Record<string, string> =
    text === ''
      ? { 'mfano-request-id': requestId, date }
      : { 'content-type': 'application/json', 'mfano-request-id': requestId, date }
  if (answer.headers) Object.assign(headers, answer.headers)
  const { fault } = answer
  const rule = fault?.by ?? answer.rule
  if (rule !== undefined) headers['mfano-rule'] = encodeURI(rule.toWellFormed())
  const tellsWhen = world.core.scenario.assumptions['retry-after'] === 'sent'
  if (tellsWhen && typeof fault?.answer === 'object' && fault.answer.retryAfterS !== undefined)
    headers['retry-after'] = String(fault.answer.retryAfterS)
  if (fault) return sendFaulty(exchange, fault, answer.status, headers, text ?? '')
  const present = (whole: string) => world.presentation.answer(operation?.id ?? '', method, whole)
  if (!world.presentation.idle && answer.list)
    return new Response(present(listText(answer.list)), { status: answer.status, headers })
  if (!answer.list) {
    const isPresented = answer.status < 300 && text !== undefined && operation !== undefined
    return new Response((isPresented ? present(text) : text) || null, { status: answer.status, headers })
  }
  // Nobody reads the body of an answer to HEAD, so it would never release the world.
  const body = method === 'HEAD' ? null : streamed(answer.list, world.host, world.lease())
  return new Response(body, { status: answer.status, headers })
}

/** A key is used up by a request that is accepted. What is kept holds no secrets. */
function oncePerKey(exchange: Exchange, operation: Operation, work: () => Answer): Answer {
  const { idempotencyKey, world, body } = exchange
  const choice = assumed(exchange, 'idempotency-key')
  if (choice === 'ignored') return work()
  const { idempotencyKeys } = world.core.store
  const key = must(idempotencyKey)
  const organisationId = must(exchange.caller).id
  const sent = maskBody(JSON.stringify(body))
  const first = idempotencyKeys.find(organisationId, key)
  if (!first) {
    const answer = work()
    idempotencyKeys.add(organisationId, key, {
      operation: operation.id,
      body: sent,
      status: answer.status,
      answer: JSON.stringify(variedAnswer(exchange, answer).body),
      paymentSeq: answer.payment?.seq ?? null,
    })
    return answer
  }
  const { status, answer: text, paymentSeq: seq } = first
  const isSame = first.operation === operation.id && first.body === sent
  if (choice === 'refuse' || !isSame) {
    const why = isSame ? 'was used before' : 'was used before, for another request'
    throw refused(commonReasons.keyUsed, `Idempotency-Key: must be new, got one that ${why}`, {
      fields: [{ field: 'Idempotency-Key', message: 'Idempotency-Key must be new' }],
    })
  }
  return { status, text, ...(seq !== null && { payment: { seq, replayed: true } }) }
}
