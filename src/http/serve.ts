import type { Context } from 'hono'
import { stamp } from '../engine/core.ts'
import { emitRequestEvent } from '../engine/domain-events.ts'
import type { Outcome } from '../engine/group-commit.ts'
import { countRefused } from '../engine/handlers/open-payment.ts'
import type { Assumptions } from '../model/assumptions.ts'
import type { Fate } from '../model/mishaps.ts'
import type { Organisation } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { isOff } from '../scenarios/faults.ts'
import { type Claims, readToken, requireFresh } from '../service/tokens.ts'
import type { JournalEntry, JournalNotes } from '../store/journal.ts'
import type { World } from '../world/world.ts'
import { parseJson, readBody } from './body.ts'
import { errorBody, faultRefusal } from './errors.ts'
import { cut, describe, joined, onItsWay, turnedAway } from './fate.ts'
import { meetFault } from './faults.ts'
import { streamed } from './list.ts'
import { maskBody, maskPath } from './mask.ts'
import type { Answer, Call, Operation, RequiredHeader } from './operation.ts'
import { type Sever, sendSpoilt, sleep } from './send.ts'
import type { HttpService } from './service.ts'
import { unknownFields, validate } from './validate.ts'

/** What the edge hands to every request. */
export interface Env {
  Bindings: {
    service: HttpService
    world: World
    /** The world's base URL as the caller reaches it. */
    baseUrl: string
    /** The path below the base URL. */
    path: string
    /** Ends the connection of this request. Hosts that cannot answer 502 instead. */
    sever?: Sever
    observe(event: RequestEvent): void
  }
}

/** One request and its answer, for logs. */
export interface RequestEvent {
  world: string
  requestId: string
  method: string
  path: string
  status: number
  rule?: string
  error?: unknown
}

/** What came over the wire, before anybody has judged it. */
interface Incoming {
  text: string | undefined
  value: unknown
  claims: Claims | undefined
  prepared: unknown
  refusal: Refusal | undefined
}

/**
 * The road of a request, read downwards: authenticate, read, then in one commit validate, handle and journal; answer.
 * A refusal at any station takes the same road out.
 */
export async function serve(c: Context<Env>, operation: Operation): Promise<Response> {
  const { world } = c.env
  const incoming = await receive(c, operation)
  const met = await meetFault(c, operation, incoming)
  if (met?.fate.latencyMs !== undefined && !met.fate.workFirst) await sleep(c, met.fate.latencyMs)
  const notes: JournalNotes = {}
  let caller = met?.caller

  const done = await world.commit.submit(
    () => {
      if (met && !met.fate.executed) throw turnedAway(met.fate)
      // Who calls comes before what is wrong with the call: an expired token is 401, whatever the body.
      caller = incoming.claims && authenticated(world, incoming.claims)
      if (incoming.refusal) throw incoming.refusal
      return operation.handle(toCall(c, operation, incoming, caller, notes))
    },
    (outcome) => conclude(c, operation, incoming, caller, notes, outcome, met?.fate),
  )
  c.env.observe(done.event)
  if (done.answer.tellFirst !== undefined) await told(world, done.answer.tellFirst)
  if (!operation.finish || done.answer.status >= 300) return respond(c, done.requestId, done.answer, done.text)
  const finished = { ...done.answer, ...(await operation.finish({ world }, done.answer)) }
  return respond(c, done.requestId, finished, JSON.stringify(finished.body))
}

/** Waits until the merchant has been told of a payment, well or not. */
async function told(world: World, paymentSeq: number): Promise<void> {
  const callbacks = world.core.store.callbacks.ofPayment(paymentSeq)
  await Promise.all(callbacks.map(({ id }) => world.deliverer.attempted(id)))
}

/** Stations that may wait: the token's signature, the body's bytes, slow preparations. */
async function receive(c: Context<Env>, operation: Operation): Promise<Incoming> {
  const incoming: Incoming = {
    text: undefined,
    value: undefined,
    claims: undefined,
    prepared: undefined,
    refusal: undefined,
  }
  try {
    const { assumptions } = c.env.world.core.scenario
    if (isOff(operation, assumptions)) throw unknownPath(c)
    if (operation.auth === 'bearer') incoming.claims = await bearer(c)
    for (const header of operation.headers ?? []) if (!c.req.header(header.name)?.trim()) throw missingHeader(header)
    if (operation.method !== 'get') {
      incoming.text = await readBody(c.req.raw)
      if (operation.body) {
        incoming.value = parse(incoming.text, c.req.header('content-type'), assumptions['unsupported-media-type'])
        if (operation.prepare)
          incoming.prepared = await operation.prepare(validate(operation.body, incoming.value), c.env.world)
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    incoming.refusal = error
  }
  return incoming
}

async function bearer(c: Context<Env>): Promise<Claims> {
  const header = c.req.header('authorization')
  if (header === undefined || header.trim() === '') {
    throw new Refusal(
      'AUTH_MISSING_TOKEN',
      'Authorization: is required, expected "Bearer <ACCESS_TOKEN>", got nothing',
      {
        fields: [{ field: 'Authorization', message: 'Authorization is required' }],
      },
    )
  }
  const [scheme, token, ...rest] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw new Refusal('AUTH_INVALID_TOKEN', 'Authorization: must be "Bearer <ACCESS_TOKEN>"', {
      fields: [{ field: 'Authorization', message: 'Authorization must be "Bearer <ACCESS_TOKEN>"' }],
    })
  }
  return readToken(c.env.world, token, 'access')
}

/** The organisation of a token, if the token is still good now. */
function authenticated(world: World, claims: Claims): Organisation {
  const organisation = world.core.store.organisations.byUuid(claims.sub)
  if (!organisation)
    throw new Refusal('AUTH_INVALID_TOKEN', 'the organisation of this token does not exist in this world')
  requireFresh(world, claims, organisation.id)
  return organisation
}

function parse(text: string, contentType: string | undefined, onOther: '415' | '400' | 'accept'): unknown {
  if (onOther !== 'accept' && !/^application\/(?:[\w.-]+\+)?json(?:\s*;.*)?$/i.test(contentType ?? '')) {
    const got = contentType ? `"${contentType}"` : 'nothing'
    throw new Refusal('REQ_BAD_REQUEST', `Content-Type: expected application/json, got ${got}`, {
      status: Number(onOther),
      fields: [{ field: 'Content-Type', message: 'Content-Type must be application/json' }],
    })
  }
  return parseJson(text)
}

function toCall(
  c: Context<Env>,
  operation: Operation,
  incoming: Incoming,
  caller: Organisation | undefined,
  notes: JournalNotes,
): Call<unknown, unknown, unknown> {
  const { world, baseUrl } = c.env
  const unread = (...fields: string[]) => {
    if (fields.length > 0) notes.unread = [...(notes.unread ?? []), ...fields]
  }
  const query = operation.query ? validate(operation.query, c.req.query()) : undefined
  const params = operation.params ? validate(operation.params, c.req.param()) : undefined
  const body = operation.body ? validate(operation.body, incoming.value) : undefined
  unread(...unknownFields(incoming.value, body))
  unread(...unknownFields(c.req.query(), query ?? {}).map((name) => `?${name}`))
  return {
    world,
    core: world.core,
    caller: caller as Organisation,
    query,
    params,
    body,
    prepared: incoming.prepared,
    baseUrl,
    unread,
    warn: (warning) => {
      notes.warnings = [...(notes.warnings ?? []), warning]
    },
  }
}

/** In the same commit, whatever happened: the answer's bytes and the journal entry that holds them. */
function conclude(
  c: Context<Env>,
  operation: Operation | undefined,
  incoming: Incoming,
  caller: Organisation | undefined,
  notes: JournalNotes,
  outcome: Outcome<Answer>,
  met: Fate | null = null,
) {
  const { world, path } = c.env
  const { store, scenario, chance } = world.core
  const seq = store.counters.next('journal')
  const requestId = `req_${seq.toString(36).padStart(7, '0')}${chance.of('request', seq).text(6, 'abcdefghjkmnpqrstvwxyz')}`
  const { answer: intact, refusal, fault } = toAnswer(outcome, requestId, operation, scenario.assumptions)
  const answer = onItsWay(
    c.env.sever !== undefined,
    intact,
    joined(met, intact.fate),
    errorFormOf(operation, scenario.assumptions),
  )
  const text = answer.list ? undefined : (answer.text ?? JSON.stringify(answer.body))
  const rule = answer.fate?.by ?? refusal?.rule ?? answer.rule ?? null
  if (intact.payment?.replayed) notes.replayed = true
  if (answer.fate) notes.fault = describe(answer.fate, c.env.sever !== undefined)
  // A connection that is severed before anything was sent has no status. What is lost was sent, for us.
  const unsent = c.env.sever && (answer.fate?.answer === 'reset' || answer.fate?.answer === 'empty')
  countRefused(world.core, refusal)
  const entry: JournalEntry = {
    seq,
    requestId,
    atUs: stamp(world.core),
    operation: operation?.id ?? null,
    method: c.req.method,
    path: maskPath(path),
    organisationId: caller?.id ?? null,
    requestHeaders: keptHeaders(c),
    requestBody: incoming.text ? maskBody(incoming.text) : null,
    status: unsent ? 0 : answer.status,
    responseBody: unsent
      ? null
      : text === undefined
        ? '(a list, sent as it was read)'
        : cut(maskBody(text), answer.fate),
    rule,
    notes: Object.keys(notes).length > 0 ? notes : null,
    paymentSeq: intact.payment?.seq ?? null,
  }
  store.journal.insert(entry)
  emitRequestEvent(world.core, entry)
  const event: RequestEvent = {
    world: world.id,
    requestId,
    method: entry.method,
    path: entry.path,
    status: entry.status,
    ...(rule === null ? {} : { rule }),
    ...(fault === undefined ? {} : { error: fault }),
  }
  return { answer, text, requestId, event }
}

function toAnswer(
  outcome: Outcome<Answer>,
  requestId: string,
  operation: Operation | undefined,
  assumptions: World['core']['scenario']['assumptions'],
) {
  if (outcome.ok) return { answer: outcome.value, refusal: undefined, fault: undefined }
  const fault = outcome.error instanceof Refusal ? undefined : outcome.error
  const refusal = outcome.error instanceof Refusal ? outcome.error : faultRefusal(requestId)
  const form = errorFormOf(operation, assumptions)
  return { answer: { status: refusal.status, body: errorBody(refusal, form) } as Answer, refusal, fault }
}

function errorFormOf(operation: Operation | undefined, assumptions: World['core']['scenario']['assumptions']) {
  return assumptions[operation?.errorBody ?? 'error-body'] as Assumptions['error-body']
}

/** Few headers tell a merchant anything; the token is never kept. */
function keptHeaders(c: Context<Env>): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of c.env.service.keptHeaders) {
    const value = c.req.header(name)
    if (value !== undefined) kept[name] = value.slice(0, 200)
  }
  if (c.req.header('authorization') !== undefined) kept['authorization'] = '***'
  return kept
}

function respond(
  c: Context<Env>,
  requestId: string,
  answer: Answer,
  text: string | undefined,
): Response | Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json', 'mfano-request-id': requestId }
  const { fate } = answer
  const rule = fate?.by ?? answer.rule
  if (rule !== undefined) headers['mfano-rule'] = encodeURI(rule)
  if (typeof fate?.answer === 'object' && fate.answer.retryAfterS !== undefined)
    headers['retry-after'] = String(fate.answer.retryAfterS)
  if (fate) return sendSpoilt(c, fate, answer.status, headers, text ?? '')
  if (!answer.list) return new Response(text, { status: answer.status, headers })
  // Nobody reads the body of an answer to HEAD, so nobody would release the world.
  const body = c.req.raw.method === 'HEAD' ? null : streamed(answer.list, c.env.world.lease())
  return new Response(body, { status: answer.status, headers })
}

/** What happens outside of a commit: the world is gone, or mfano is broken. Told in the service's form, not journalled. */
export function serveFault(c: Context<Env>, error: unknown): Response {
  const { world, path } = c.env
  const refusal = error instanceof Refusal ? error : faultRefusal('no request id')
  const fault = error instanceof Refusal ? {} : { error }
  c.env.observe({
    world: world.id,
    requestId: '-',
    method: c.req.method,
    path: maskPath(path),
    status: refusal.status,
    ...fault,
  })
  return Response.json(errorBody(refusal, world.core.scenario.assumptions['error-body']), { status: refusal.status })
}

/** A request that no operation answers: journalled like any other. */
export async function serveUnknown(c: Context<Env>, allowed: string[]): Promise<Response> {
  const { world } = c.env
  const incoming: Incoming = {
    text: undefined,
    value: undefined,
    claims: undefined,
    prepared: undefined,
    refusal: undefined,
  }
  const asUnknown = allowed.length === 0 || world.core.scenario.assumptions['unsupported-method'] === '404'
  const refusal = asUnknown
    ? unknownPath(c)
    : new Refusal('REQ_BAD_REQUEST', `${c.req.method} is not possible here; possible: ${allowed.join(', ')}`, {
        status: 405,
      })
  const done = await world.commit.submit<Answer, ReturnType<typeof conclude>>(
    () => {
      throw refusal
    },
    (outcome) => conclude(c, undefined, incoming, undefined, {}, outcome),
  )
  c.env.observe(done.event)
  const response = await respond(c, done.requestId, done.answer, done.text)
  if (!asUnknown) response.headers.set('allow', allowed.join(', '))
  return response
}

function unknownPath(c: Context<Env>): Refusal {
  return new Refusal(
    'RESOURCE_NOT_FOUND',
    `nothing is at ${c.req.method} ${maskPath(c.env.path).split('?')[0]}; the contract is at ${c.env.baseUrl}/docs`,
  )
}

function missingHeader({ name, why }: RequiredHeader): Refusal {
  return new Refusal('REQ_MISSING_FIELD', `${name}: is required, it ${why}, got nothing`, {
    fields: [{ field: name, message: `${name} is required` }],
  })
}
