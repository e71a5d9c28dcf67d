/** Fields that choose where the callbacks of an uploaded world go. */
import * as z from 'zod'
import type { FileCallbacks } from '../../../core/held-addresses.ts'
import { isHttpUrl } from '../../../service/fields.ts'

export const httpAddress = z.string().max(2000).refine(isHttpUrl, 'must be an http or https address')

const PAIR = /^([^=,]+)=([^=,]+)$/

/** `hold`, `as-they-are`, or `FROM=TO` pairs separated by commas. */
export const callbackChoice = z
  .string()
  .max(8000)
  .refine(
    (text) => text === 'hold' || text === 'as-they-are' || pairsIn(text) !== undefined,
    'must be hold, as-they-are, or FROM=TO such as https://shop.example=http://localhost:3000, several with commas',
  )
  .transform((text): FileCallbacks => ({ all: text === 'as-they-are', rewritten: pairsIn(text) ?? [] }))

function pairsIn(text: string): { from: string; to: string }[] | undefined {
  const pairs = text.split(',').map((pair) => {
    const [, from = '', to = ''] = PAIR.exec(pair.trim()) ?? []
    return { from, to }
  })
  if (new Set(pairs.map(({ from }) => from)).size < pairs.length) return undefined
  return pairs.every(({ from, to }) => isHttpUrl(from) && isHttpUrl(to)) ? pairs : undefined
}
