/** Operations on runs, which group what happened during a test. */
import * as z from 'zod'
import { spanOf, type TestRun } from '../../../core/model/test-run.ts'
import type { World } from '../../../core/world.ts'
import { countsIn, shownRun } from '../../../inspect/run-report.ts'
import { controlOperation } from '../declared-operation.ts'
import { shownRunShape } from './run-answers.ts'
import { requireRun } from './run-named.ts'

const newRun = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    .describe('What it is called in lists and reports.'),
  note: z.string().max(1000, 'must be at most 1000 characters').optional().describe('For those who read the report.'),
})
const path = { id: 'A run: its name, its number, or `last`.' }

const listRuns = controlOperation('run.list', {
  method: 'GET',
  path: '/runs',
  summary: 'List test runs, newest first',
  answer: () => z.object({ runs: z.array(shownRunShape()) }),
  list: {
    name: 'runs',
    columns: ['id', 'name', 'note', 'begunAt', 'endedAt', 'payments', 'requests'],
    rows: ({ runs }) => runs,
  },
  run(c) {
    const { world } = c.env
    return { runs: world.core.store.runs.all().map((run) => counted(world, run)) }
  },
})

const beginRun = controlOperation('run.start', {
  method: 'POST',
  path: '/runs',
  summary: 'Start a test run',
  body: newRun,
  answer: shownRunShape,
  status: 201,
  async run(c, { body }) {
    const { world } = c.env
    const run = await world.perform({ command: 'begin-run', ...body })
    return counted(world, run)
  },
})

const readRun = controlOperation('run.show', {
  method: 'GET',
  path: '/runs/:id',
  summary: 'Show one test run',
  params: path,
  answer: shownRunShape,
  errors: ['NOT_FOUND'],
  run(c, { params }) {
    const { world } = c.env
    return counted(world, requireRun(world, params.id))
  },
})

const endRun = controlOperation('run.end', {
  method: 'POST',
  path: '/runs/:id/end',
  summary: 'End a test run',
  params: path,
  answer: shownRunShape,
  errors: ['NOT_FOUND'],
  async run(c, { params }) {
    const { world } = c.env
    const { id } = requireRun(world, params.id)
    return counted(world, await world.perform({ command: 'end-run', id }))
  },
})

const removeRun = controlOperation('run.remove', {
  method: 'DELETE',
  path: '/runs/:id',
  summary: 'Delete a test run and keep its payments',
  params: path,
  answer: () => z.object({ removed: z.number() }),
  errors: ['NOT_FOUND'],
  async run(c, { params }) {
    const { world } = c.env
    return await world.perform({ command: 'remove-run', id: requireRun(world, params.id).id })
  },
})

function counted(world: World, run: TestRun) {
  return { ...shownRun(run), ...countsIn(world, spanOf(run)) }
}

export const runOperations = [listRuns, beginRun, readRun, endRun, removeRun] as const
