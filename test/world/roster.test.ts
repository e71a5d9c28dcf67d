import { expect, onTestFinished, test } from 'vitest'
import { Roster } from '../../src/world/world-pool.ts'
import { glanceOf } from '../../src/world/world-summary.ts'
import { alarms } from '../support/alarms.ts'
import { fatedScenario, openWorld } from '../support/inside.ts'

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
  const glance = { ...glanceOf(world), nextDueUs: 0 }
  const told: string[] = []
  const roster = new Roster({
    openMax: 2,
    pinned: 'default',
    host: { ...timers.host, defer: (work) => work() },
    open: inTurn([true, true], () => world),
    look: inTurn([true, true], () => glance),
    failed: (id, error, doing) => told.push(`${id}: ${doing}: ${(error as Error).message}`),
  })
  onTestFinished(() => roster.end())
  roster.note('shop')
  roster.survey()
  for (let tries = 0; tries < 5; tries++) {
    expect(roster.open).toEqual([])
    timers.ring()
  }
  expect(roster.open).toEqual([world])
  expect(told).toEqual([
    'shop: looking at a stored world: too many open files',
    expect.stringMatching(/^shop: waking a world in which something is due: /),
  ])
})
