/** Requests that no operation answers: which problem is reported, and what is answered anyway. */
import { must } from '../../core/model/must.ts'
import { isOff } from '../../core/response-faults.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'
import { assumed } from './assumed.ts'
import { otherMethod, unknownPath } from './refusals.ts'

export function answerUnrouted(exchange: Exchange): Answer {
  const { c } = exchange
  const { redirect } = must(exchange.unrouted)
  if (redirect) return { status: redirect.status, text: '', headers: { location: addressOf(c, redirect.path) } }
  const methods = methodsOf(exchange)
  if (methods.length === 0) throw unknownPath(c, exchange.world.core.service.operations)
  throw assumed(exchange, 'unsupported-method') === '404' ? unknownPath(c) : otherMethod(c, methods)
}

export function methodsOf({ unrouted, world }: Pick<Exchange, 'unrouted' | 'world'>): string[] {
  const { assumptions } = world.core.scenario
  const there = unrouted?.operations.filter((one) => !isOff(one, assumptions)) ?? []
  return [...new Set(there.map(({ method }) => method.toUpperCase()))]
}

function addressOf({ env }: Exchange['c'], path: string): string {
  const query = env.path.indexOf('?')
  return `${env.baseUrl}${path}${query === -1 ? '' : env.path.slice(query)}`
}
