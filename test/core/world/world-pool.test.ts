import { expect, onTestFinished, test } from 'vitest'
import { WorldPool } from '../../../src/core/world/world-pool.ts'
import { summaryOf } from '../../../src/core/world-summary.ts'
import { alarms } from '../../support/alarms.ts'
import { fatedScenario, openWorld } from '../../support/inside.ts'

/** What happens one after the other: a failure, or not. */
const inTurn =
  <T>(failures: boolean[], act: () => T) =>
  () => {
    if (failures.shift()) throw new Error('too many open files')
    return act()
  }

test('a closed world that cannot be looked at or opened for a while is woken as soon as it can', async () => {
  const timers = alarms()
  const world = openWorld(fatedScenario(), { host: timers.host })
  const summary = { ...summaryOf(world), nextDueUs: 0 }
  const told: string[] = []
  const pool = new WorldPool({
    openMax: 2,
    pinned: 'default',
    host: { ...timers.host, defer: (work) => work() },
    open: inTurn([true, true], () => world),
    look: inTurn([true, true], () => summary),
    failed: (id, error, doing) => told.push(`${id}: ${doing}: ${(error as Error).message}`),
  })
  onTestFinished(() => pool.end())
  pool.note('shop')
  pool.survey()
  for (let tries = 0; tries < 5; tries++) {
    expect(pool.open).toEqual([])
    timers.ring()
  }
  expect(pool.open).toEqual([world])
  expect(told).toEqual([
    'shop: looking at a stored world: too many open files',
    expect.stringMatching(/^shop: waking a world in which something is due: /),
  ])
})
