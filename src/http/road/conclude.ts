/** The last stage inside the commit: makes the answer's bytes and its journal entry. */
import type { CommandOutcome } from '../../core/core.ts'
import { emitRequestEvent } from '../../core/emit-events.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { Exchange } from '../exchange.ts'
import type { RequestEvent } from '../http-service.ts'
import type { Answer } from '../operation.ts'
import { describe, joined, onItsWay } from '../response-fault.ts'
import { entryOf } from './journal-entry.ts'
import { operationsAt } from './path.ts'
import { internalFailure } from './refusals.ts'
import { variedAnswer, variedList } from './vary.ts'

export interface Concluded {
  answer: Answer
  text: string | undefined
  requestId: string
  event: RequestEvent
}

export function conclude(exchange: Exchange, outcome: CommandOutcome<Answer>): Concluded {
  const { c, world, notes } = exchange
  const { store, ids } = world.core
  const canSever = c.env.connection.sever !== undefined
  const seq = store.counters.next('journal')
  const requestId = `req_${seq.toString(36).padStart(7, '0')}${ids.of('request', seq).text(6, 'abcdefghjkmnpqrstvwxyz')}`
  const { intact, refusal, failure } = answerTo(exchange, outcome, requestId)
  const answer = variedAnswer(
    exchange,
    onItsWay(exchange, variedList(exchange, intact), joined(exchange.fault, intact.fault)),
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

function answerTo({ c, service, operation, world }: Exchange, outcome: CommandOutcome<Answer>, requestId: string) {
  if (outcome.ok) return { intact: outcome.value, refusal: undefined, failure: undefined }
  const { error } = outcome
  const refusal = error instanceof Refusal ? error : internalFailure(requestId)
  // A wrong method is refused in the error form of the path's operations.
  const there = operation ?? operationsAt(service.operations, c.path)[0]
  const body = service.errorBody(refusal, there, world.core.scenario.assumptions)
  const intact: Answer = { status: refusal.status, body }
  return { intact, refusal, failure: error instanceof Refusal ? undefined : error }
}
