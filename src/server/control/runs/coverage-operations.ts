/** Operations that report what was exercised, and how to exercise the rest. */
import * as z from 'zod'
import { spanOf, type TestRun } from '../../../core/model/test-run.ts'
import type { Coverage } from '../../../inspect/coverage.ts'
import type { ControlContext } from '../control-context.ts'
import { controlOperation } from '../declared-operation.ts'
import { coveredShape } from './run-answers.ts'
import { runName, runOf } from './run-named.ts'

/** Longer than a token's life, so that it has expired. */
const TOKEN_LIFE = '6m'

const asked = z.strictObject({
  run: runName.optional().describe('Only what a run exercised: its name, its number, or `last`.'),
})

const readCoverage = controlOperation('run.coverage', {
  method: 'GET',
  path: '/coverage',
  summary: 'Show what was exercised and what is missing',
  query: asked,
  answer: () =>
    z.object({
      assumptions: coveredShape(),
      callbacks: coveredShape(),
      edges: coveredShape(),
      ends: coveredShape(),
      fields: coveredShape(),
      operations: coveredShape(),
      refusals: coveredShape(),
      tokens: coveredShape(),
      read: coveredShape().optional(),
    }),
  errors: ['NOT_FOUND'],
  run: (c, { query }) => coverageIn(c, runOf(c.env.world, query.run)),
})

export async function coverageIn(c: ControlContext, run: TestRun | undefined): Promise<Coverage> {
  const { baseUrl, world, worlds } = c.env
  const { coverageOfWorld } = await import('../../../inspect/world-coverage.ts')
  return coverageOfWorld(world, spanOf(run), worlds.shippedScenarios(), (dimension, name) => {
    if (dimension === 'assumptions') {
      const [id, value] = name.split('=')
      const command = `curl -X PUT ${baseUrl}/_mfano/assumptions/${id} -d '{"value":"${value}"}'`
      return { command, operation: 'assumption.choose', with: { id, value } }
    }
    if (dimension === 'tokens' && (name === 'renewed' || name === 'refused'))
      return {
        command: `mfano clock advance ${TOKEN_LIFE} --world ${world.id}`,
        ...{ operation: 'clock.advance', with: { by: TOKEN_LIFE } },
      }
    return undefined
  })
}

export const coverageOperations = [readCoverage] as const
