/** Coverage reads each shipped scenario, which takes long: others have their turn after each. */
import { expect, test } from 'vitest'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

test('requests are answered while coverage is worked out', async () => {
  const world = await bench.world()
  const { worlds } = bench.simulator
  const scenarios = worlds.shippedScenarios().length
  const { host } = world.inside
  const { defer } = host
  let turns = 0
  host.defer = (work) => {
    turns++
    defer(work)
  }
  try {
    await world.control('GET', '/coverage')
  } finally {
    host.defer = defer
  }
  expect(turns).toBeGreaterThanOrEqual(scenarios)
  expect(scenarios).toBeGreaterThan(10)
})
