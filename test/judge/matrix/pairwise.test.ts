/** Rows for pairs, and how what fails is narrowed. */
import { describe, expect, it } from 'vitest'
import { shrink } from '../../../src/judge/explore/shrink.ts'
import { type ChosenAlternative, pairwise } from '../../../src/judge/strategies/matrix.ts'
import { inTurn } from '../../../src/judge/subject/risks.ts'
import fc, { draws } from '../../support/fast-check.ts'

const alternativesOf = (sizes: readonly number[]): ChosenAlternative[][] =>
  sizes.map((size, at) =>
    [...Array(size).keys()].map((v) => ({ do: 'assume', assumption: `f${at}`, alternative: `v${v}` })),
  )

describe('rows for pairs', () => {
  it('have every two alternatives of two assumptions in one of them, and no two of one assumption', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 14 }), (given) => {
        const all = alternativesOf(given)
        const rows = pairwise(inTurn(all))
        for (const [a, first] of all.entries())
          for (const second of all.slice(a + 1))
            for (const v of first)
              for (const w of second) expect(rows.some((row) => row.includes(v) && row.includes(w))).toBe(true)
        for (const row of rows) expect(new Set(row.map(({ assumption }) => assumption)).size).toBe(row.length)
      }),
      { numRuns: draws(60) },
    )
  })

  it('are few: two dozen for seventy questions, some with two or three alternatives', () => {
    const seventy = [...Array(70).keys()].map((at) => (at % 20 === 0 ? 3 : at % 5 === 0 ? 2 : 1))
    expect(pairwise(inTurn(alternativesOf(seventy))).length).toBeLessThan(26)
  })
})

it('narrows what fails to as few as it takes', async () => {
  const items = alternativesOf(Array(30).fill(1)).flat()
  await fc.assert(
    fc.asyncProperty(fc.subarray(items, { minLength: 1, maxLength: 3 }), async (guilty) => {
      const shows = async (part: readonly object[]) => guilty.every((one) => part.includes(one))
      expect(new Set(await shrink(items, shows, { jobs: 1, about: undefined }))).toEqual(new Set(guilty))
    }),
    { numRuns: draws(50) },
  )
})
