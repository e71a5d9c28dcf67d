/** By syntax: casts and `any` get fewer, and outside of the service no code names a kind of payment. */
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { files, textOf } from './source.ts'

/** `as X` of expressions, not `as const`; one behind another counts too. Whoever takes one away lowers the bound. */
const CASTS_MOST = 162
const ANY_MOST = 13
/** A way in which a customer pays without being asked, which is spelt like a kind. */
const ways = ['apps/cli/payment-commands.ts: stk']

const kinds = new Set<unknown>(paymentsService.kinds.names)
const found = { casts: 0, any: 0, kinds: [] as string[] }

function look(node: unknown, file: string): void {
  if (typeof node !== 'object' || node === null) return
  const { type, key, value, typeAnnotation } = node as Record<string, { name?: string; typeName?: { name?: string } }>
  if (String(type) === 'TSAsExpression' && typeAnnotation?.typeName?.name !== 'const') found.casts++
  if (String(type) === 'TSAnyKeyword') found.any++
  if (String(type) === 'Literal' && kinds.has(value) && !file.startsWith('service/'))
    found.kinds.push(`${file}: ${value}`)
  // Examples may name a kind.
  const isExample = String(type) === 'Property' && /^examples?$/.test(key?.name ?? '')
  for (const part of isExample ? [] : Object.values(node)) look(part, file)
}

for (const file of files.filter((one) => !/\.(?:gen|d)\.ts$/.test(one)))
  look(parseAst(textOf(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }), file)

it('has no more casts and no more any than it had', () => {
  expect(found.casts, 'let the type say it; the bound may only fall').toBeLessThanOrEqual(CASTS_MOST)
  expect(found.any, 'unknown says it; the bound may only fall').toBeLessThanOrEqual(ANY_MOST)
})

it('names no kind of payment outside of the service', () => {
  expect(found.kinds.filter((one) => !ways.includes(one))).toEqual([])
})
