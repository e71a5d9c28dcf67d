/** Applies the assumption about extra fields to answers. */
import { variedBody } from '../../core/model/vary-body.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'

type Asked = Pick<Exchange, 'world' | 'operation'>

export function variedAnswer({ world, operation }: Asked, answer: Answer): Answer {
  const { body, status } = answer
  if (body === undefined) return answer
  const varied = variedBody(body, world.core.scenario, `${operation?.id ?? 'unrouted'} ${status}`)
  return varied === body ? answer : { ...answer, body: varied }
}

export function variedList({ world, operation }: Asked, answer: Answer): Answer {
  if (!answer.list) return answer
  const { items } = answer.list
  const each = function* () {
    for (const item of items) yield variedBody(item, world.core.scenario, `${operation?.id} item`)
  }
  return { ...answer, list: { ...answer.list, items: each() } }
}
