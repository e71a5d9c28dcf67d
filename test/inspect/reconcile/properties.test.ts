/** Whatever happened: books that say so are right, and each thing that is wrong with them is found. */
import { expect, it } from 'vitest'
import fc, { draws } from '../../support/fast-check.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { ask, codesOf, type FateName, fatedWorld, fates, kinds, type Line, trueBooks } from './fates.ts'

const bench = useBench()
const fateNames = Object.keys(fates) as FateName[]
const payments = fc.array(fc.record({ kind: fc.constantFrom(...kinds), fate: fc.constantFrom(...fateNames) }), {
  minLength: 1,
  maxLength: 6,
})

/** A world in which so much happened, and all of it is over. */
async function lived(asked: readonly { kind: (typeof kinds)[number]; fate: FateName }[]): Promise<TestWorld> {
  const world = await fatedWorld(bench)
  for (const [i, { kind, fate }] of asked.entries()) await ask(world, kind, fate, `pay-${i}`)
  await world.advance('3h')
  await world.advance('3d')
  return world
}

it('finds nothing wrong with books that say what the ledger has, whatever of it they leave out', {
  timeout: 60_000,
}, async () => {
  const kept = fc.record({ requestId: fc.boolean(), kind: fc.boolean(), amount: fc.boolean(), status: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(payments, kept, async (asked, keep) => {
      const world = await lived(asked)
      const books = (await trueBooks(world)).map((line) =>
        Object.fromEntries(Object.entries(line).filter(([name]) => keep[name as keyof typeof keep] ?? true)),
      )
      expect(await codesOf(world, books)).toEqual([])
    }),
    { numRuns: draws(12) },
  )
})

/** What can be wrong with a line, for which payments, and what it is called. */
const damages: Record<string, { fates: FateName[]; damage: (line: Line) => Line[] }> = {
  paid_unknown: { fates: ['paid', 'paidAfterAll'], damage: () => [] },
  stale: { fates: ['paid', 'paidAfterAll'], damage: (line) => [{ ...line, status: 'FAILED' }] },
  believed_paid: { fates: ['failed', 'pending'], damage: (line) => [{ ...line, status: 'SUCCESS' }] },
  taken_back: { fates: ['takenBack'], damage: (line) => [{ ...line, status: 'SUCCESS' }] },
  wrong_amount: { fates: fateNames, damage: (line) => [{ ...line, amount: Number(line.amount) + 0.01 }] },
  wrong_currency: { fates: fateNames, damage: (line) => [{ ...line, currency: 'UGX' }] },
  booked_twice: { fates: ['paid'], damage: (line) => [line, line] },
  never_asked: { fates: fateNames, damage: (line) => [line, { reference: 'nobody', amount: 5, status: 'SUCCESS' }] },
}

it('finds each damage that is planted in one line, and nothing else', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(payments, fc.constantFrom(...Object.keys(damages)), fc.nat(), async (others, code, at) => {
      const { fates: possible, damage } = damages[code] as (typeof damages)[string]
      const fate = possible[at % possible.length] as FateName
      const place = at % (others.length + 1)
      const world = await lived(others.toSpliced(place, 0, { kind: 'send-money', fate }))
      const books = await trueBooks(world)
      expect(
        await codesOf(
          world,
          books.flatMap((line, i) => (i === place ? damage(line) : [line])),
        ),
      ).toEqual([code])
    }),
    { numRuns: draws(24) },
  )
})
