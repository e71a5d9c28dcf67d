/** Requests from pages in browsers: whether they are answered, and whether the page may read the answer. */
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import type { Exchange } from '../exchange.ts'
import { REMEMBERED_S } from '../limits.ts'
import { assumed } from './assumed.ts'

type Asked = Pick<Exchange, 'c' | 'world' | 'notes'>

export function refuseOrigin(exchange: Asked): void {
  const origin = exchange.c.header('origin')
  if (origin === undefined || assumed(exchange, 'cors') !== 'refuse') return
  throw refused(commonReasons.originRefused, `Origin: pages in browsers may not call this service, got "${origin}"`, {
    fields: [{ field: 'Origin', message: 'Origin must not be sent' }],
  })
}

export function isPreflight(exchange: Asked): boolean {
  const { c } = exchange
  if (c.method !== 'OPTIONS' || c.header('origin') === undefined) return false
  if (c.header('access-control-request-method') === undefined) return false
  return assumed(exchange, 'cors') === 'any-origin'
}

export function preflightHeaders({ c }: Asked, methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': c.header('access-control-request-headers') ?? '*',
    'access-control-max-age': String(REMEMBERED_S),
  }
}

export function corsHeaders(exchange: Asked): Record<string, string> | undefined {
  if (exchange.c.header('origin') === undefined || assumed(exchange, 'cors') !== 'any-origin') return undefined
  return { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'mfano-request-id, mfano-rule' }
}
