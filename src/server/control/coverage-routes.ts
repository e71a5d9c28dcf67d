/** What was exercised here of what there is, and what leads to the rest. */
import { Hono } from 'hono'
import * as z from 'zod'
import { type Run, spanOf } from '../../core/model/test-run.ts'
import type { Coverage } from '../../inspect/coverage.ts'
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
  const { baseUrl, world, worlds } = c.env
  const { coverageOfWorld } = await import('../../inspect/world-coverage.ts')
  return coverageOfWorld(world, spanOf(run), worlds.shippedScenarios(), (dimension, name) => {
    if (dimension === 'assumptions') {
      const [id, value] = name.split('=')
      return { command: `curl -X PUT ${baseUrl}/_mfano/assumptions/${id} -d '{"value":"${value}"}'` }
    }
    if (dimension === 'tokens' && (name === 'renewed' || name === 'refused'))
      return { command: `mfano clock advance ${TOKEN_LIFE} --world ${world.id}` }
    return undefined
  })
}
