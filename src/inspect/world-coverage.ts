/** Coverage of a world or a run. Import it on demand, because it loads every shipped scenario. */
import { deferredTurn } from '../core/host.ts'
import type { RunSpan } from '../core/model/test-run.ts'
import type { Scenario } from '../core/scenario.ts'
import type { World } from '../core/world.ts'
import { allNames } from './coverage/all-names.ts'
import { metIn } from './coverage/met.ts'
import { reachOf } from './coverage/reach.ts'
import { type Coverage, type CoverageNames, coverageOf, type Dimension, type Gap } from './coverage.ts'

/** Read once, which takes up to 20 ms of a scenario. */
const reaches = new WeakMap<Scenario, CoverageNames>()

/**
 * @param shipped scenarios that may lead to what was not exercised
 * @param otherwise what leads to a gap that no scenario reaches
 */
export async function coverageOfWorld(
  world: World,
  span: RunSpan,
  shipped: readonly Scenario[],
  otherwise: (dimension: Dimension, name: string) => Omit<Gap, 'name'> | undefined,
): Promise<Coverage> {
  const { service } = world.core
  const reached: { scenario: string; reach: CoverageNames }[] = []
  for (const scenario of shipped) {
    let reach = reaches.get(scenario)
    if (!reach) {
      await deferredTurn(world.host)
      reach = reachOf(scenario, service)
      reaches.set(scenario, reach)
    }
    reached.push({ scenario: scenario.name, reach })
  }
  return coverageOf(allNames(service), await metIn(world, span), (dimension, name) => {
    const found = reached.filter(({ reach }) => reach[dimension].has(name))
    // The default scenario has an amount for many of them.
    const scenario = (found.find((one) => one.scenario !== 'default') ?? found[0])?.scenario
    return scenario === undefined
      ? otherwise(dimension, name)
      : { scenario, command: `mfano start --scenario ${scenario}` }
  })
}
