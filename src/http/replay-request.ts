import { must } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import type { RecordedRequest } from '../core/recording.ts'
import type { Exchange } from './exchange.ts'
import type { RequestEvent } from './http-service.ts'
import { parseJson } from './read-body.ts'
import { findFault } from './response-fault.ts'
import { answerTo, concluded, FOREIGN, recordedStage } from './road/serve.ts'

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
  exchange.world.commit.now(() => recordedStage(exchange, 'fault', () => findFault(exchange, must(exchange.operation))))
}

export function replayAnswer(exchange: Exchange): RequestEvent {
  const { event } = exchange.world.commit.now(
    () => answerTo(exchange),
    (outcome) => concluded(exchange, outcome),
  )
  return event
}
