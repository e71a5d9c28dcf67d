/** Amounts as numbers: which have at most two decimals, told by their shortest text. */
import { expect, it } from 'vitest'
import { toMinor } from '../../../src/core/model/money.ts'
import fc, { draws } from '../../support/fast-check.ts'

/** By the text alone. */
function byText(amount: number): number | undefined {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount)) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/** The number so many steps of the last bit from another. */
function beside(amount: number, steps: number): number {
  const bits = new BigInt64Array(Float64Array.of(amount).buffer)
  bits[0] = (bits[0] as bigint) + BigInt(steps)
  return new Float64Array(bits.buffer)[0] as number
}

it('takes what has at most two decimals, and nothing beside it', () => {
  const digits = fc.integer({ min: 1, max: 15 })
  const amounts = fc
    .tuple(digits, fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(1, 10, 100, 1000))
    .map(([length, share, over]) => Math.floor(share * 10 ** length) / over)
  fc.assert(
    fc.property(fc.oneof(amounts, fc.double()), fc.integer({ min: -3, max: 3 }), (amount, steps) => {
      const near = amount > 0 ? beside(amount, steps) : amount
      expect(toMinor(near)).toBe(byText(near))
    }),
    { numRuns: draws(2000) },
  )
})

it.each([0.1 + 0.2, 1.005, -0.01, 1e12, 1e-7, Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (amount) => {
  expect(toMinor(amount)).toBeUndefined()
})

it.each([
  [0, 0],
  [-0, 0],
  [0.3, 30],
  [1.15, 115],
  [999_999_999_999.99, 99_999_999_999_999],
])('takes %d for %d', (amount, minor) => {
  expect(toMinor(amount)).toBe(minor)
})
