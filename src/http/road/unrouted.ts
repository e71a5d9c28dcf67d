/** Requests that no operation answers: which problem is reported, and what is answered anyway. */
import { must } from '../../core/model/must.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { isOff } from '../../core/response-faults.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../operation.ts'
import { assumed } from './assumed.ts'
import { authenticate } from './authenticate.ts'
import { isPreflight, preflightHeaders, refuseOrigin } from './cors.ts'
import { oddPath, otherMethod, unknownPath } from './refusals.ts'

export async function receiveUnrouted(exchange: Exchange): Promise<void> {
  try {
    if (isPreflight(exchange)) return
    refuseOrigin(exchange)
    if (needsToken(exchange)) exchange.credential = await authenticate(exchange)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    exchange.refusal = error
  }
}

export function answerUnrouted(exchange: Exchange): Answer {
  const { c, refusal, credential } = exchange
  const { otherwise } = must(exchange.unrouted)
  exchange.caller = credential?.holder()
  if (refusal) throw refusal
  if (otherwise?.answer === '400') throw oddPath(c, otherwise.path)
  if (otherwise)
    return { status: Number(otherwise.answer), text: '', headers: { location: addressOf(c, otherwise.path) } }
  const methods = methodsOf(exchange)
  if (methods.length === 0) throw unknownPath(c, exchange.world.core.service.operations)
  if (isPreflight(exchange)) return { status: 204, text: '', headers: preflightHeaders(exchange, methods) }
  if (c.method === 'OPTIONS' && assumed(exchange, 'options-requests') !== 'as-other-methods')
    return { status: 204, text: '', headers: { allow: [...methods, 'OPTIONS'].join(', ') } }
  throw assumed(exchange, 'unsupported-method') === '404' ? unknownPath(c) : otherMethod(c, methods)
}

export function methodsOf({ unrouted, world }: Pick<Exchange, 'unrouted' | 'world'>): string[] {
  const { assumptions } = world.core.scenario
  const there = unrouted?.operations.filter((one) => !isOff(one, assumptions)) ?? []
  return [...new Set(there.map(({ method }) => method.toUpperCase()))]
}

function needsToken(exchange: Exchange): boolean {
  const { operations, otherwise } = must(exchange.unrouted)
  // Whoever judges the spelling of paths does so before the token. The path that issues tokens needs none.
  if (otherwise?.answer === '400' || operations.some(({ auth }) => auth === 'none')) return false
  if (assumed(exchange, 'unknown-path-order') === 'token-first') return true
  const asksWhatThereIs = exchange.c.method === 'OPTIONS' && methodsOf(exchange).length > 0
  return asksWhatThereIs && assumed(exchange, 'options-requests') === '204-with-token'
}

function addressOf({ env }: Exchange['c'], path: string): string {
  const query = env.path.indexOf('?')
  return `${env.baseUrl}${path}${query === -1 ? '' : env.path.slice(query)}`
}
