/** Outside of the service no code names a kind of payment: it asks a kind. Examples may name one. */
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { files, textOf } from './source.ts'

/** The service itself, and what is printed from its contract. */
const may = /^service\/|\.(?:gen|d)\.ts$/
/** Ways in which a customer pays without being asked, which are spelt like kinds. */
const ways = ['apps/cli/payment-commands.ts: stk', 'apps/testing/world-collections.ts: stk']
const names = new Set<unknown>(paymentsService.kinds.names)

function namedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type, key, value } = node as { type?: string; key?: { name?: string }; value?: unknown }
  if (type === 'Property' && /^examples?$/.test(key?.name ?? '')) return []
  if (type === 'Literal') return names.has(value) ? [String(value)] : []
  return Object.values(node).flatMap(namedIn)
}

it('names no kind of payment', () => {
  const code = files.filter((file) => !may.test(file))
  expect(code.length).toBeGreaterThan(200)
  const found = code.flatMap((file) => {
    const parsed = parseAst(textOf(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' })
    return namedIn(parsed).map((kind) => `${file}: ${kind}`)
  })
  expect(found.filter((one) => !ways.includes(one))).toEqual([])
})
