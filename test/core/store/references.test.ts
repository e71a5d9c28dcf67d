/** What is found by an index: payments by their callers' references, whose table may be behind, and what is due for one. */

import { expect, it, vi } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { LANE } from '../../../src/core/model/due.ts'
import { perform } from '../../../src/core/perform.ts'
import { ensureSchema } from '../../../src/core/schema.ts'
import { Agenda } from '../../../src/core/store/agenda-table.ts'
import { sharedIn } from '../../../src/core/store/counter-table.ts'
import type { World } from '../../../src/core/world.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { atOnce } from '../../support/at-once.ts'
import { fatedScenario, openWorld, payout } from '../../support/inside.ts'

const PAYMENTS = 4_500

function pay({ core }: World, referenceId: string): void {
  perform(core, payout({ request: { referenceId }, referenceId }))
}

const inTable = ({ core }: World) =>
  core.store.sql.prepare<{ n: number }>('SELECT count(*) AS n FROM referenced').get()?.n ?? 0

/** Numbers of the payments that carry a reference, in each way that they can be looked for. */
function found({ core }: World, referenceId: string): number[] {
  const { payments } = core.store
  const one = payments.byReference(referenceId).map(({ seq }) => seq)
  const listed = payments.page({ referenceId }, { limit: 10, newestFirst: true }).map(({ seq }) => seq)
  expect(listed).toEqual(one)
  expect(payments.page({ referenceId, kinds: ['till'] }, { limit: 10 })).toEqual([])
  expect(atOnce(payments.counting({ referenceId }))).toBe(one.length)
  return one
}

it('are found whether anybody looked before or not, the newest first', async () => {
  const world = openWorld(fatedScenario())
  for (let done = 0; done < PAYMENTS; done += 500)
    await world.commit.submit(() => {
      for (let i = done; i < done + 500; i++) pay(world, `order-${(i * 7_919) % 4_000}`)
    })
  // Nobody looked, and the table follows without being up to date.
  expect(inTable(world)).toBeGreaterThan(PAYMENTS / 2)
  expect(inTable(world)).toBeLessThan(PAYMENTS)
  expect(found(world, 'order-0')).toEqual([4_001, 1])
  expect(inTable(world)).toBe(PAYMENTS)
  expect(found(world, 'order-7919')).toEqual([])
  pay(world, 'order-0')
  expect(found(world, 'order-0')).toEqual([PAYMENTS + 1, 4_001, 1])
})

it('are found when whoever looked was taken back', async () => {
  const world = openWorld(fatedScenario())
  await world.commit.submit(() => pay(world, 'first'))
  const looking = world.commit.submit(() => {
    pay(world, 'taken-back')
    expect(found(world, 'taken-back')).toEqual([2])
    throw new Error('taken back')
  })
  await expect(looking).rejects.toThrow('taken back')
  world.commit.dryRun(() => {
    pay(world, 'tried')
    expect(found(world, 'tried')).toEqual([2])
  })
  await world.commit.submit(() => pay(world, 'second'))
  expect(['first', 'taken-back', 'tried', 'second'].map((reference) => found(world, reference))).toEqual([
    [1],
    [],
    [],
    [2],
  ])
})

it('are found by the assumption that they answer for another payment, in the commit that made the first', async () => {
  const world = openWorld(fatedScenario({ assumptions: { 'duplicate-reference': 'replay' } }))
  await world.commit.submit(() => {
    for (const reference of ['a', 'b', 'a', 'c', 'b']) pay(world, reference)
  })
  expect(atOnce(world.core.store.payments.counting({}))).toBe(3)
})

it('finds what is due for one payment without reading what is due for others', () => {
  const sql = openSqlite(':memory:')
  ensureSchema(sql)
  const prepare = vi.spyOn(sql, 'prepare')
  new Agenda(sharedIn(sql, new Chance(1))).of(LANE.steps, 1)
  const ofOne = prepare.mock.calls.flat().filter((text) => text.includes('subject = ?'))
  const plans = ofOne.map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 1)
    return sql.prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)[0]?.detail
  })
  expect(plans).toEqual(Array(2).fill('SEARCH agenda USING INDEX agenda_subject (lane=? AND subject=?)'))
})
