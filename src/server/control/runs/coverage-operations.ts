/** Operations that report what was exercised, and how to exercise the rest. */
import * as z from 'zod'
import { spanOf, type TestRun } from '../../../core/model/test-run.ts'
import type { Coverage } from '../../../inspect/coverage.ts'
import { reportForms } from '../../../inspect/report-forms.ts'
import { coverageDocument } from '../../../inspect/report-lists.ts'
import type { ControlContext } from '../control-context.ts'
import { controlOperation } from '../declared-operation.ts'
import { coveredShape } from './run-answers.ts'
import { runName, runOf } from './run-named.ts'

/** Longer than a token's life, so that it has expired. */
const TOKEN_LIFE = '6m'

const asked = z.strictObject({
  run: runName.optional().describe('Only what a run exercised: its name, its number, or `last`.'),
  format: z
    .enum(['json', 'html'], 'must be json or html')
    .default('json')
    .describe('`html` is one file, with the commands that lead to each gap.'),
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
  answers: { 'text/html': 'One file that needs no network.' },
  errors: ['NOT_FOUND'],
  async run(c, { query }) {
    const { world } = c.env
    const coverage = await coverageIn(c, runOf(world, query.run))
    if (query.format === 'json') return coverage
    const document = coverageDocument(coverage, { title: `Coverage of ${world.id}`, tooLittle: [] })
    const [type, print] = reportForms.html
    // No coverage was asked for, so none passes.
    const page = await print({ ...document, verdict: { ...document.verdict, mood: 'none', word: 'Exercised' } })
    return c.body(page, 200, { 'content-type': `${type}; charset=utf-8` })
  },
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
