/** Casts say what the compiler cannot see: there may only be fewer of them. */
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { files, textOf } from './source.ts'

/** `as X` of expressions, not `as const`; one behind another counts too. Whoever takes one away lowers the bound. */
const CASTS_MOST = 184
const ANY_MOST = 13

const found = { casts: 0, any: 0 }

function look(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  const { type, typeAnnotation } = node as { type?: string; typeAnnotation?: { typeName?: { name?: string } } }
  if (type === 'TSAsExpression' && typeAnnotation?.typeName?.name !== 'const') found.casts++
  if (type === 'TSAnyKeyword') found.any++
  Object.values(node).forEach(look)
}

it('has no more casts and no more any than it had', () => {
  for (const file of files.filter((one) => !/\.(?:gen|d)\.ts$/.test(one)))
    look(parseAst(textOf(file), { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  expect(found.casts, 'let the type say it; the bound may only fall').toBeLessThanOrEqual(CASTS_MOST)
  expect(found.any, 'unknown says it; the bound may only fall').toBeLessThanOrEqual(ANY_MOST)
})
