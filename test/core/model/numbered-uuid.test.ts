import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import fc from '../../support/fast-check.ts'

// Payments are found by their uuid without an index: it carries their number, for who has the seed of the world.

const seed = fc.nat({ max: 0xffff_ffff })
const number = fc.oneof(fc.nat(), fc.maxSafeNat())

test('a uuid gives its number back to who has the seed, and to nobody else', () => {
  fc.assert(
    fc.property(seed, number, (own, n) => {
      const uuid = new Chance(own).numberedUuid('payment', n)
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(new Chance(own).numberOf('payment', uuid)).toBe(n)
      expect(new Chance(own).numberOf('callback', uuid)).toBeUndefined()
      expect(new Chance((own + 1) % 0x1_0000_0000).numberOf('payment', uuid)).toBeUndefined()
    }),
  )
})

test('any other text has none', () => {
  const chance = new Chance(7)
  const uuid = chance.numberedUuid('payment', 12)
  const other = uuid.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  for (const text of ['', 'x', other, `${uuid} `, chance.uuid('payment', 12), '00000000-0000-4000-8000-000000000001'])
    expect(chance.numberOf('payment', text), text).toBeUndefined()
})

test('they look drawn: numbers that follow each other share no more than chance has them share', () => {
  const chance = new Chance(7)
  const uuids = Array.from({ length: 4000 }, (_, n) => chance.numberedUuid('payment', n + 1))
  expect(new Set(uuids).size).toBe(uuids.length)
  // The digits of each place, but for those of the version and the variant, are spread evenly.
  for (const place of [0, 3, 7, 9, 12, 15, 17, 20, 22, 24, 28, 35]) {
    const counts = new Map<string, number>()
    for (const uuid of uuids) counts.set(uuid[place] as string, (counts.get(uuid[place] as string) ?? 0) + 1)
    expect(counts.size, `place ${place}`).toBe(16)
    for (const count of counts.values()) expect(Math.abs(count - 250), `place ${place}`).toBeLessThan(100)
  }
})
