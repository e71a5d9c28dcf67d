/** The operations of a service as routes of a Hono app. World and path come with each request. */
import { Hono } from 'hono'
import { type CommandOutcome, emitRequestEvent, stamp } from '../core/core.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import { blankSecrets, inText, maskBody, maskPath } from '../core/model/mask.ts'
import { isRecord, must } from '../core/model/must.ts'
import type { Organisation } from '../core/model/payment.ts'
import { commonReasons, type Reason, Refusal, refused, refuseUnder } from '../core/model/refusal.ts'
import { httpDate } from '../core/model/time.ts'
import type { RecordedRequest } from '../core/recording.ts'
import { isOff } from '../core/response-faults.ts'
import { traceHeaders } from '../core/sign.ts'
import { storageRefusal } from '../core/sql.ts'
import type { World } from '../core/world.ts'
import {
  answerUnrouted,
  assumed,
  type Exchange,
  exchangeOf,
  internalFailure,
  methodsOf,
  OUTCOME,
  operationsAt,
  respelled,
  type Unrouted,
} from './exchange.ts'
import {
  type Answer,
  type Call,
  type Env,
  type HttpService,
  type Operation,
  type RequestEvent,
  takesKey,
} from './operation.ts'
import { jsonResponse, parseJson, receive } from './read-body.ts'
import {
  cut,
  describe,
  faultRefusal,
  findFault,
  joined,
  listText,
  sendFaulty,
  sleep,
  spoilAnswer,
  streamed,
  variedAnswer,
  variedList,
} from './road/response-fault.ts'
import { invisibleLetters, unknownFields } from './validate.ts'

/** @param take what a replay takes the requests of a recording with */
export function serviceApp(service: HttpService, take = serve): Hono<{ Bindings: Env }> {
  const { operations } = service
  const app = new Hono<{ Bindings: Env }>({
    getPath: pathBelowBase,
  })
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(operation.method.toUpperCase(), path, ({ env, req }) => {
      const arrived = { raw: req.raw, env, path: req.path, params: req.param() }
      return take(exchangeOf(arrived, service, operation))
    })
  }
  app.notFound(({ env, req: { raw, path } }) => {
    const unrouted = (unknown: Unrouted, taken = env) =>
      take(exchangeOf({ raw, env: taken, path, params: {} }, service, unknown))
    const there = operationsAt(operations, path)
    const spelling = there.length === 0 && !env.takenFor ? respelled(operations, path) : undefined
    if (!spelling) return unrouted({ operations: there })
    const outcome = spelling.endsInSlash ? env.world.core.scenario.assumptions['trailing-slash'] : 'same'
    const taken = { ...env, takenFor: spelling }
    if (outcome === 'same') return app.fetch(raw, taken)
    const redirect =
      outcome === '404' ? undefined : ({ status: outcome === '301' ? 301 : 308, path: spelling.path } as const)
    return unrouted({ operations: [], ...(redirect && { redirect }) }, taken)
  })
  return app
}

export function pathBelowBase(_request: Request, { env }: { env?: Pick<Env, 'path' | 'takenFor'> } = {}): string {
  const path = env?.takenFor?.path ?? env?.path ?? '/'
  const end = path.indexOf('?')
  return end === -1 ? path : path.slice(0, end)
}

/**
 * One commit validates, handles and journals, so that an answer and its effects are stored together. A refusal ends the
 * same way.
 */
async function serve(exchange: Exchange): Promise<Response> {
  const { world, operation, env } = exchange
  // Under way until it is answered, whatever it asks for.
  const end = world.leases.take('request')
  try {
    if (operation) {
      await receive(exchange, operation)
      const { scenario } = world.core
      // In a commit of its own, because a delay must not hold up the commit that answers. Most worlds have no faults.
      if (scenario.watches(operation) && !isOff(operation, scenario.assumptions))
        await world.commit.submit(() => recordedStage(exchange, 'fault', findFault))
    }
    const { fault } = exchange
    if (fault?.latencyMs !== undefined && !fault.workFirst) await sleep(exchange, fault.latencyMs)

    const { event, answer, requestId, text } = await world.commit.submit(
      () => recordedStage(exchange, 'answer', answerTo),
      (outcome) => concluded(exchange, outcome),
    )
    env.observe(event)
    if (answer.tellFirst !== undefined) await callbacksAttempted(world, answer.tellFirst)
    const response = respond(exchange, requestId, answer, text)
    // Awaits promises only, to save a tick for answers that are ready.
    return response instanceof Promise ? await response : response
  } catch (error) {
    return serveFailure(exchange, error)
  } finally {
    end()
  }
}

/** In the same commit and, where it is recorded, at the same instant, because a recording has one instant for a stage. */
function concluded(exchange: Exchange, outcome: CommandOutcome<Answer>): Concluded {
  const { recorded, world } = exchange
  const { recorder } = world.core
  if (!recorder || !recorded) return conclude(exchange, outcome)
  return recorder.within(recorded.atUs, () => conclude(exchange, outcome))
}

async function callbacksAttempted(world: World, paymentSeq: number): Promise<void> {
  const callbacks = world.core.store.callbacks.ofPayment(paymentSeq)
  await Promise.all(callbacks.map(({ id }) => world.deliverer.attempted(id)))
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
    rule: null,
    ...(!known && { error }),
  })
  return jsonResponse(service.errorBody(refusal, undefined, world.core.scenario.assumptions), {
    status: refusal.status,
    headers: { date: httpDate(world.core.clock.now()) },
  })
}

/** Also of a path that nothing is at, which is journalled so that a wrong URL in an app can be found. */
function answerTo(exchange: Exchange): Answer {
  const { operation, fault, credential } = exchange
  if (!operation) return answerUnrouted(exchange)
  if (fault && !fault.executed) throw faultRefusal(fault)
  // The caller is checked before the fields: an expired token is 401, whatever the body.
  exchange.caller = credential?.holder()
  if (exchange.refusal) throw exchange.refusal
  const work = () => {
    const call = toCall(exchange, operation)
    return exchange.idempotencyKey && takesKey(operation)
      ? oncePerKey(exchange, operation, () => operation.handle(call))
      : operation.handle(call)
  }
  return exchange.changesNothing ? exchange.world.commit.dryRun(work) : work()
}

function toCall(exchange: Exchange, operation: Operation) {
  const { world, service, baseUrl, caller, prepared, notes, trace, headers, outcome } = exchange
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
  const { assumptions } = world.core.scenario
  const query = operation.query ? service.read(operation.query, exchange.query, assumptions) : undefined
  const params = operation.params ? service.read(operation.params, exchange.params, assumptions) : undefined
  const body = operation.body ? service.read(operation.body, exchange.body, assumptions) : undefined
  const unknown = unknownFields(exchange.body, body)
  if (unknown.length > 0) service.refuseUnknown(unknown, assumptions)
  unread(...unknown, ...unknownFields(exchange.query, query ?? {}).map((name) => `?${name}`))
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
    refuse: (...refusal) => refuseUnder(assumptions)(...refusal),
  } satisfies Call<unknown, unknown, unknown, Reason>
}

interface Concluded {
  answer: Answer
  text: string | undefined
  requestId: string
  event: RequestEvent
}

function conclude(exchange: Exchange, outcome: CommandOutcome<Answer>): Concluded {
  const { env, world, notes } = exchange
  const { store, ids } = world.core
  const canSever = env.connection.sever !== undefined
  const seq = store.counters.next('journal')
  const requestId = `req_${seq.toString(36).padStart(7, '0')}${ids.of('request', seq).text(6, 'abcdefghjkmnpqrstvwxyz')}`
  const refused = outcome.ok ? undefined : refusedBy(exchange, outcome.error, requestId)
  const intact = outcome.ok ? outcome.value : must(refused).answer
  const isVaried = world.core.scenario.assumptions['extra-fields'] === 'some'
  const whole = isVaried ? variedList(exchange, intact) : intact
  const isFaulty = exchange.fault !== undefined || whole.fault !== undefined
  const spoilt = isFaulty ? spoilAnswer(exchange, whole, joined(exchange.fault, whole.fault)) : whole
  const answer = isVaried ? variedAnswer(exchange, spoilt) : spoilt
  const text = answer.list ? undefined : (answer.text ?? JSON.stringify(answer.body))
  const rule = answer.fault?.by ?? refused?.rule ?? answer.rule ?? null
  if (intact.payment?.replayed) notes.replayed = true
  if (answer.fault) notes.fault = describe(answer.fault, canSever)
  const entry = entryOf(exchange, { seq, requestId, answer, text, rule, paymentSeq: intact.payment?.seq ?? null })
  store.journal.insert(entry)
  emitRequestEvent(world.core, entry)
  const event: RequestEvent = { ...entry, world: world.id, trace: exchange.trace, error: refused?.failure }
  return { answer, text, requestId, event }
}

function refusedBy({ path, service, operation, world }: Exchange, error: unknown, requestId: string) {
  const refusal = error instanceof Refusal ? error : internalFailure(requestId)
  // A wrong method is refused in the error form of the path's operations.
  const there = operation ?? operationsAt(service.operations, path)[0]
  const body = service.errorBody(refusal, there, world.core.scenario.assumptions)
  const answer: Answer = { status: refusal.status, body }
  return { answer, rule: refusal.rule, failure: error instanceof Refusal ? undefined : error }
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
  if (!operation && answer.status === 405) headers['allow'] = methodsOf(exchange).join(', ')
  const { fault } = answer
  const rule = fault?.by ?? answer.rule
  if (rule !== undefined) headers['mfano-rule'] = encodeURI(rule.toWellFormed())
  const tellsWhen = world.core.scenario.assumptions['retry-after'] === 'sent'
  if (tellsWhen && typeof fault?.answer === 'object' && fault.answer.retryAfterS !== undefined)
    headers['retry-after'] = String(fault.answer.retryAfterS)
  if (fault) return sendFaulty(exchange, fault, answer.status, headers, text ?? '')
  const { presentation } = world
  if ((presentation.mutation || presentation.samples) && operation && answer.status < 300) {
    const whole = answer.list ? listText(answer.list) : (text ?? '')
    const presented = presentation.answer(operation.id, method, whole)
    return new Response(presented || null, { status: answer.status, headers })
  }
  if (!answer.list) return new Response(text || null, { status: answer.status, headers })
  // Nobody reads the body of an answer to HEAD, so it would never release the world.
  const body = method === 'HEAD' ? null : streamed(answer.list, world.host, world.leases.take())
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

// The entry of the journal.

const HEADER_MAX = 200
const REFUSED_MAX = 16_384
/** A request that is worked on has a few hundred characters; the rest are fields that nobody reads. */
const KEPT_MAX = 65_536

interface Answered {
  seq: number
  requestId: string
  answer: Answer
  text: string | undefined
  rule: string | null
  paymentSeq: number | null
}

function entryOf(exchange: Exchange, { seq, requestId, answer, text, rule, paymentSeq }: Answered): JournalEntry {
  const { env, method, world, operation, caller, notes } = exchange
  // A connection that is cut before anything was sent has no status. A lost answer has one, because mfano sent it.
  const unsent = env.connection.sever && (answer.fault?.answer === 'reset' || answer.fault?.answer === 'empty')
  const masked = text === undefined ? '(a list, sent as it was read)' : maskBody(text)
  const body = text !== undefined && answer.fault?.truncate ? cut(masked, answer.fault.truncate) : masked
  return {
    seq,
    requestId,
    atUs: stamp(world.core),
    operation: operation?.id ?? null,
    method,
    path: maskPath(env.path),
    organisationId: caller?.id ?? null,
    requestHeaders: keptHeaders(exchange),
    requestBody: exchange.text ? keptBody(maskBody(exchange.text), answer.status, paymentSeq) : null,
    status: unsent ? 0 : answer.status,
    responseBody: unsent ? null : body,
    rule,
    notes: Object.keys(notes).length > 0 ? notes : null,
    paymentSeq,
  }
}

/** Cut sooner for refused requests, because anybody may send them again and again. */
function keptBody(body: string, status: number, paymentSeq: number | null): string {
  const isRefused = status >= 400 && paymentSeq === null
  const most = isRefused ? REFUSED_MAX : KEPT_MAX
  if (body.length <= most) return body
  const why = isRefused ? 'a request that is refused' : 'a request'
  return `${body.slice(0, most).toWellFormed()} … (cut here: no more is kept of ${why})`
}

/** Only headers that help a merchant. Never the token. */
function keptHeaders(exchange: Exchange): Record<string, string> {
  const { service, trace } = exchange
  const kept: Record<string, string> = {}
  for (const name of service.keptHeaders) {
    const value = exchange.header(name)
    if (value !== undefined) kept[name] = inText(value).slice(0, HEADER_MAX)
  }
  if (trace) kept['traceparent'] = trace.parent
  if (exchange.header('authorization') !== undefined) kept['authorization'] = '***'
  return kept
}

// Records a request so that it can be replayed.

/** Replaces a foreign token, because it may be a real secret. */
const FOREIGN = 'Bearer ***'

function recordedStage<T>(exchange: Exchange, stage: 'fault' | 'answer', work: (exchange: Exchange) => T): T {
  const { recorder } = exchange.world.core
  if (!recorder) return work(exchange)
  const request = exchange.recorded?.n ?? toRecorded(exchange)
  return recorder.during(
    () => ({ stage, request }),
    () => work(exchange),
    (n, atUs) => {
      exchange.recorded = { n: exchange.recorded?.n ?? n, atUs }
    },
  )
}

function toRecorded(exchange: Exchange): RecordedRequest {
  const { env, method, world, text, body, refusal, prepared, notes } = exchange
  return {
    method,
    path: maskPath(env.path),
    baseUrl: exchange.baseUrl,
    headers: headersOf(exchange),
    body:
      text === undefined
        ? null
        : blankSecrets(text, (key) => world.core.store.organisations.credential(key) !== undefined),
    parsed: body !== undefined,
    ...(refusal && { refusal: plain(refusal) }),
    ...(notes.assumed && { assumed: notes.assumed }),
    ...(notes.unread && { unread: notes.unread }),
    ...(prepared !== undefined && { prepared }),
    severable: env.connection.sever !== undefined,
  }
}

function headersOf(exchange: Exchange): Record<string, string> {
  const { world, service, operation, credential, trace } = exchange
  const headers: Record<string, string> = trace ? traceHeaders(trace) : {}
  const more = (operation?.headers ?? []).map((one) => one.name)
  for (const name of new Set([...service.keptHeaders, ...more, ...world.core.scenario.headersRead])) {
    const value = exchange.header(name.toLowerCase())
    if (value !== undefined) headers[name] = inText(value)
  }
  const authorization = exchange.header('authorization')
  if (authorization !== undefined) headers['authorization'] = credential ? authorization : FOREIGN
  return headers
}

function plain({ code, details, status, message, fields }: Refusal): NonNullable<RecordedRequest['refusal']> {
  return { code, details, status, message, fields }
}

// Works on a recorded request again.

export function replayReceive(
  exchange: Exchange,
  { body, parsed, headers, refusal, prepared, assumed, unread }: RecordedRequest,
): Exchange {
  const authorization = headers['authorization']
  if (authorization !== undefined && authorization !== FOREIGN) {
    const [, token = ''] = authorization.trim().split(/\s+/)
    exchange.credential = exchange.service.readToken(exchange.world, token)
  }
  if (body !== null) exchange.text = body
  if (body !== null && parsed) exchange.body = parseJson(body)
  if (refusal) {
    const { code, details, ...rest } = refusal
    exchange.refusal = Refusal.withCode(code, details, rest)
  }
  exchange.prepared = prepared
  if (assumed) exchange.notes.assumed = assumed
  if (unread) exchange.notes.unread = unread
  return exchange
}

export function findFaultAgain(exchange: Exchange): void {
  exchange.world.commit.now(() => recordedStage(exchange, 'fault', findFault))
}

export function replayAnswer(exchange: Exchange): RequestEvent {
  const { event } = exchange.world.commit.now(
    () => recordedStage(exchange, 'answer', answerTo),
    (outcome) => concluded(exchange, outcome),
  )
  return event
}
