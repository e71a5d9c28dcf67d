/** Rows for pairs, and how what fails is fewestOfed. */
import { describe, expect, it } from 'vitest'
import { fewestOf } from '../../../src/judge/explore/shrink.ts'
import { type Factor, pairwise } from '../../../src/judge/matrix/matrix.ts'
import fc, { draws } from '../../support/fast-check.ts'

const factors = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 14 })
  .map((sizes) =>
    sizes.map((size, at): Factor => ({ id: `f${at}`, values: [...Array(size).keys()].map((v) => `v${v}`) })),
  )

describe('rows for pairs', () => {
  it('have every two values of two factors in one of them', () => {
    fc.assert(
      fc.property(factors, (given) => {
        const rows = pairwise(given)
        for (const [a, first] of given.entries())
          for (const [b, second] of given.entries())
            if (a < b)
              for (const v of first.values)
                for (const w of second.values) expect(rows.some((row) => row[a] === v && row[b] === w)).toBe(true)
        for (const row of rows) {
          expect(row).toHaveLength(given.length)
          for (const [at, value] of row.entries()) expect(given[at]?.values).toContain(value)
        }
      }),
      { numRuns: draws(60) },
    )
  })

  it('are few: a dozen for forty questions with two answers, where all together would be a trillion', () => {
    const forty = [...Array(40).keys()].map((at) => ({ id: `f${at}`, values: ['a', 'b'] }))
    expect(pairwise(forty).length).toBeLessThan(16)
  })
})

it('narrows what fails to as few as it takes', async () => {
  const items = [...Array(30).keys()]
  await fc.assert(
    fc.asyncProperty(fc.subarray(items, { minLength: 1, maxLength: 3 }), async (guilty) => {
      const found = await fewestOf(items, async (part) => guilty.every((one) => part.includes(one)))
      expect(found.toSorted((a, b) => a - b)).toEqual(guilty)
    }),
    { numRuns: draws(50) },
  )
})
