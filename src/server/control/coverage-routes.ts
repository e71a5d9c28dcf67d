/** What was exercised here of what there is, and what leads to the rest. */
import { Hono } from 'hono'
import * as z from 'zod'
import type { Coverage, Dimension, Gap, Names } from '../../coverage/coverage.ts'
import { spanOf } from '../../questions/span.ts'
import type { Run } from '../../store/run-tables.ts'
import { about } from './about.ts'
import { asks, type ControlContext, type ControlEnv, json } from './control-context.ts'
import { runName, runOf } from './run-named.ts'

/** A token is not good any more after so long. */
const TOKEN_LIFE = '6m'

const asked = z.strictObject({
  /** Only what a run exercised: its name, its number, or `last`. */
  run: runName.optional(),
})

export function coverageRoutes() {
  return new Hono<ControlEnv>().get(
    '/_mfano/coverage',
    about('What was exercised of what there is, and what leads to the rest', { errors: ['404 NOT_FOUND'] }),
    asks(asked),
    async (c) => json(c, await coverageIn(c, runOf(c.env.world, c.req.valid('query').run))),
  )
}

/** Of a run; of the whole world without one. */
export async function coverageIn(c: ControlContext, run: Run | undefined): Promise<Coverage> {
  // Loaded when it is asked for, so that a start need not wait for it.
  const [{ allNames }, { coverageOf }, { metIn }, { reachOf }] = await Promise.all([
    import('../../coverage/all-names.ts'),
    import('../../coverage/coverage.ts'),
    import('../../coverage/met.ts'),
    import('../../coverage/reach.ts'),
  ])
  const met = await metIn(c.env.world, spanOf(run))
  const scenarios = c.env.worlds
    .shippedScenarios()
    .map((scenario) => ({ name: scenario.name, reach: reachOf(scenario, c.env.service) }))
  return coverageOf(allNames(c.env.service), met, (dimension, name) => reaching(c, scenarios, dimension, name))
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
