/** What was exercised here of what there is, and what leads to the rest. */
import { Hono } from 'hono'
import type { Coverage, Dimension, Gap, Names } from '../../coverage/coverage.ts'
import { about } from './about.ts'
import { type ControlContext, type ControlEnv, json } from './control-context.ts'

/** A token is not good any more after so long. */
const TOKEN_LIFE = '6m'

export function coverageRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/coverage',
    about('What was exercised of what there is, and what leads to the rest'),
    async (c) => {
      // Loaded when it is asked for, so that a start need not wait for it.
      const [{ allNames }, { coverageOf }, { metIn }, { reachOf }] = await Promise.all([
        import('../../coverage/all-names.ts'),
        import('../../coverage/coverage.ts'),
        import('../../coverage/met.ts'),
        import('../../coverage/reach.ts'),
      ])
      const met = await metIn(c.env.world)
      const scenarios = c.env.worlds
        .shippedScenarios()
        .map((scenario) => ({ name: scenario.name, reach: reachOf(scenario, c.env.service) }))
      const coverage: Coverage = coverageOf(allNames(c.env.service), met, (dimension, name) =>
        reaching(c, scenarios, dimension, name),
      )
      return json(c, coverage)
    },
  )
}

/** The first scenario that leads to a gap; that of an ordinary day has a number for many of them. */
function reaching(
  { env: { baseUrl, world } }: ControlContext,
  scenarios: readonly { name: string; reach: Names }[],
  dimension: Dimension,
  name: string,
): Omit<Gap, 'name'> | undefined {
  const found = scenarios.filter(({ reach }) => reach[dimension].has(name))
  const scenario = (found.find((one) => one.name !== 'default') ?? found[0])?.name
  if (scenario !== undefined) return { scenario, command: `mfano start --scenario ${scenario}` }
  if (dimension === 'assumptions') {
    const [id, value] = name.split('=')
    return { command: `curl -X PUT ${baseUrl}/_mfano/assumptions/${id} -d '{"value":"${value}"}'` }
  }
  if (dimension === 'tokens' && (name === 'renewed' || name === 'refused'))
    return { command: `mfano clock advance ${TOKEN_LIFE} --world ${world.id}` }
  return undefined
}
