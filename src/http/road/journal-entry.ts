/** The journal's view of a request and its answer: no secrets, and the bytes that were sent. */
import { stamp } from '../../core/core.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { inText, maskBody, maskPath } from '../../core/model/mask.ts'
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
  const { c, world, operation, caller, notes } = exchange
  // A connection that is cut before anything was sent has no status. A lost answer has one, because mfano sent it.
  const unsent = c.env.connection.sever && (answer.fault?.answer === 'reset' || answer.fault?.answer === 'empty')
  const body = text === undefined ? '(a list, sent as it was read)' : cut(maskBody(text), answer.fault)
  return {
    seq,
    requestId,
    atUs: stamp(world.core),
    operation: operation?.id ?? null,
    method: c.method,
    path: maskPath(c.env.path),
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
function keptHeaders({ c, service, trace }: Exchange): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const name of service.keptHeaders) {
    const value = c.header(name)
    if (value !== undefined) kept[name] = inText(value).slice(0, HEADER_MAX)
  }
  if (trace) kept['traceparent'] = trace.parent
  if (c.header('authorization') !== undefined) kept['authorization'] = '***'
  return kept
}
