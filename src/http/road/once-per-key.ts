/** Repeats an answer, or refuses, when an `Idempotency-Key` comes again: assumption `idempotency-key`. */
import { maskBody } from '../../core/model/mask.ts'
import { must } from '../../core/model/must.ts'
import { commonReasons, refused } from '../../core/model/refusal.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer, Operation } from '../operation.ts'
import { assumed } from './body.ts'
import { variedAnswer } from './faults.ts'

/** A key is used up by a request that is accepted. What is kept holds no secrets. */
export function oncePerKey(exchange: Exchange, operation: Operation, work: () => Answer): Answer {
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
