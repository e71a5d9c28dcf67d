/** A request as a recording keeps it. */
import type { RecordedRequest } from '../engine/recorder.ts'
import { Refusal } from '../model/refusal.ts'
import { traceHeaders } from '../model/trace-context.ts'
import { beginExchange, type Exchange, type Unrouted } from './exchange.ts'
import type { HttpService } from './http-service.ts'
import { blankSecrets, maskPath } from './mask.ts'
import type { Operation } from './operation.ts'
import { parseJson } from './read-body.ts'

/** What decides about a request that no operation answers. */
const BROWSERS = ['origin', 'access-control-request-method']
/** In the place of a token that is not ours, which may be a real one. */
const FOREIGN = 'Bearer ***'

/** A stage of a request inside its commit, noted where its world is recorded. */
export function recorded<T>(exchange: Exchange, stage: 'fault' | 'answer', work: () => T): T {
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

/** What follows that stage in the same commit, at the same instant. */
export function asRecorded<T>({ world, recorded: noted }: Exchange, work: () => T): T {
  const { recorder } = world.core
  return recorder && noted ? recorder.within(noted.atUs, work) : work()
}

function toRecorded(exchange: Exchange): RecordedRequest {
  const { c, text, body, refusal, prepared, notes } = exchange
  return {
    method: c.method,
    path: maskPath(c.env.path),
    baseUrl: exchange.baseUrl,
    headers: headersOf(exchange),
    body: text === undefined ? null : blankSecrets(text),
    parsed: body !== undefined,
    ...(refusal && { refusal: plain(refusal) }),
    ...(notes.assumed && { assumed: notes.assumed }),
    ...(prepared !== undefined && { prepared }),
    severable: c.env.connection.sever !== undefined,
  }
}

function headersOf({ c, service, operation, credential, trace }: Exchange): Record<string, string> {
  const headers: Record<string, string> = trace ? traceHeaders(trace) : {}
  const more = operation ? (operation.headers ?? []).map((one) => one.name) : BROWSERS
  for (const name of new Set([...service.keptHeaders, ...more])) {
    const value = c.header(name.toLowerCase())
    if (value !== undefined) headers[name] = value
  }
  const authorization = c.header('authorization')
  if (authorization !== undefined) headers['authorization'] = credential ? authorization : FOREIGN
  return headers
}

function plain({ code, details, status, message, fields }: Refusal): NonNullable<RecordedRequest['refusal']> {
  return { code, details, status, message, fields }
}

/** A request of a recording, as it was when it had been received: nothing of that is done a second time. */
export async function receivedAgain(
  c: Exchange['c'],
  service: HttpService,
  answeredBy: Operation | Unrouted,
  { body, parsed, headers, refusal, prepared, assumed }: RecordedRequest,
): Promise<Exchange> {
  const exchange = beginExchange(c, service, answeredBy)
  const authorization = headers['authorization']
  if (authorization !== undefined && authorization !== FOREIGN)
    exchange.credential = await service.readToken(exchange.world, authorization.trim().split(/\s+/)[1] as string)
  if (body !== null) exchange.text = body
  if (body !== null && parsed) exchange.body = parseJson(body)
  if (refusal) {
    const { code, details, ...rest } = refusal
    exchange.refusal = new Refusal(code, details, rest)
  }
  exchange.prepared = prepared
  if (assumed) exchange.notes.assumed = assumed
  return exchange
}
