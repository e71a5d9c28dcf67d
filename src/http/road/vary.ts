/** Answers of a wary world: with fields that nobody announced, and their keys in another order. */
import { varied } from '../../core/model/wary.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'

type Asked = Pick<Exchange, 'world' | 'operation'>

export function variedBody({ world, operation }: Asked, answer: Answer): Answer {
  const { wary } = world.core.scenario
  if (wary === null || answer.body === undefined) return answer
  return { ...answer, body: varied(answer.body, wary, `${operation?.id ?? 'unrouted'} ${answer.status}`) }
}

export function variedList({ world, operation }: Asked, answer: Answer): Answer {
  const { wary } = world.core.scenario
  if (wary === null || !answer.list) return answer
  const { items } = answer.list
  const each = function* () {
    for (const item of items) yield varied(item, wary, `${operation?.id} item`)
  }
  return { ...answer, list: { ...answer.list, items: each() } }
}
