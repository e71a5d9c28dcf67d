import truncatedWidth from 'fast-string-truncated-width'
import { expect, it } from 'vitest'
import { splitLine } from '../../../src/apps/cli/completion-candidates.ts'
import { type TableColumn, table } from '../../../src/apps/cli/table.ts'
import fc from '../../support/fast-check.ts'

interface Row {
  id: string
  amount: number
  about: string | null
}
const columns: readonly TableColumn<Row>[] = [
  { title: 'ID', of: ({ id }) => id },
  { title: 'AMOUNT', of: ({ amount }) => amount, right: true, spare: 1 },
  { title: 'ABOUT', of: ({ about }) => about, least: 8, spare: 2 },
]
const draw = (rows: Row[], width = Number.POSITIVE_INFINITY) =>
  table(rows, columns, { paint: (_, text) => text, width })
    .trimEnd()
    .split('\n')

it('measures what is shown, not what is stored', () => {
  expect(draw([{ id: '支払い', amount: 1, about: 'é' }])).toEqual(['ID      AMOUNT  ABOUT', '支払い       1  é'])
  expect(draw([{ id: 'x', amount: 1, about: '支払い支払い' }], 24)[1]).toBe('x        1  支払い支払い')
  expect(draw([{ id: 'x', amount: 1, about: '支払い支払い' }], 23)[1]).toBe('x        1  支払い支払…')
})

it('is never wider than it was told, as long as what cannot be cut fits', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const row = fc.record({ id: fc.stringMatching(/^[a-z]{1,10}$/), amount: fc.nat(), about: fc.option(text) })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.integer({ min: 10, max: 80 }), (some, width) => {
      for (const line of draw(some, width)) expect(truncatedWidth(line).width).toBeLessThanOrEqual(width)
    }),
  )
})

it('takes every line apart that a shell may ask about, and every word comes back from its quotes', () => {
  fc.assert(fc.property(fc.string(), (line) => splitLine(line).length >= 1))
  fc.assert(
    fc.property(
      fc.array(
        fc.string().map((text) => text.replaceAll("'", '')),
        { minLength: 1 },
      ),
      (words) => {
        expect(splitLine(words.map((word) => `'${word}'`).join(' '))).toEqual(words)
      },
    ),
  )
})
