import { stamp } from '../../core/core.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { blankSecrets, inText, maskBody, maskPath } from '../../core/model/mask.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import type { RecordedRequest } from '../../core/recording.ts'
import { traceHeaders } from '../../core/sign.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'
import { cut } from '../response-fault.ts'

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

export function entryOf(
  exchange: Exchange,
  { seq, requestId, answer, text, rule, paymentSeq }: Answered,
): JournalEntry {
  const { env, method, world, operation, caller, notes } = exchange
  // A connection that is cut before anything was sent has no status. A lost answer has one, because mfano sent it.
  const unsent = env.connection.sever && (answer.fault?.answer === 'reset' || answer.fault?.answer === 'empty')
  const body = text === undefined ? '(a list, sent as it was read)' : cut(maskBody(text), answer.fault)
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
export const FOREIGN = 'Bearer ***'

export function recordedStage<T>(exchange: Exchange, stage: 'fault' | 'answer', work: () => T): T {
  const { recorder } = exchange.world.core
  if (!recorder) return work()
  const request = exchange.recorded?.n ?? toRecorded(exchange)
  return recorder.during(
    () => ({ stage, request }),
    work,
    (n, atUs) => {
      exchange.recorded = { n: exchange.recorded?.n ?? n, atUs }
    },
  )
}

/** Runs in the same commit and at the same instant, because a recording has one instant for a stage. */
export function asRecorded<T>({ world, recorded: noted }: Exchange, work: () => T): T {
  const { recorder } = world.core
  return recorder && noted ? recorder.within(noted.atUs, work) : work()
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
