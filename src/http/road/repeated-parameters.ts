/** Decides which value counts when a query parameter comes twice. */
import type { Exchange } from '../exchange.ts'
import { assumed } from './assumed.ts'

export function parametersOf(exchange: Exchange): Readonly<Record<string, string>> {
  const { repeated } = exchange.c
  if (!repeated) return exchange.query
  const choice = assumed(exchange, 'repeated-parameters')
  if (choice === 'first') return exchange.query
  return Object.fromEntries(
    Object.entries(repeated).map(([name, values]) => [
      name,
      choice === 'joined' ? values.join(',') : (values.at(-1) ?? ''),
    ]),
  )
}
