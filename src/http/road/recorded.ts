/** Records a request so that it can be replayed. */
import { blankSecrets, inText, maskPath } from '../../core/model/mask.ts'
import type { Refusal } from '../../core/model/refusal.ts'
import { traceHeaders } from '../../core/model/trace-context.ts'
import type { RecordedRequest } from '../../core/recording.ts'
import type { Exchange } from '../exchange.ts'

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
  const { c, world, text, body, refusal, prepared, notes } = exchange
  return {
    method: c.method,
    path: maskPath(c.env.path),
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
    severable: c.env.connection.sever !== undefined,
  }
}

function headersOf({ c, world, service, operation, credential, trace }: Exchange): Record<string, string> {
  const headers: Record<string, string> = trace ? traceHeaders(trace) : {}
  const more = (operation?.headers ?? []).map((one) => one.name)
  for (const name of new Set([...service.keptHeaders, ...more, ...world.core.scenario.headersRead])) {
    const value = c.header(name.toLowerCase())
    if (value !== undefined) headers[name] = inText(value)
  }
  const authorization = c.header('authorization')
  if (authorization !== undefined) headers['authorization'] = credential ? authorization : FOREIGN
  return headers
}

function plain({ code, details, status, message, fields }: Refusal): NonNullable<RecordedRequest['refusal']> {
  return { code, details, status, message, fields }
}
