/** Routes: runs, which are what was tested under a name. */
import { Hono } from 'hono'
import * as z from 'zod'
import { type Run, spanOf } from '../../core/model/test-run.ts'
import type { World } from '../../core/world.ts'
import { countsIn, shownRun } from '../../inspect/run-report.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json, takes } from './control-context.ts'
import { asCsv, csv, plainList } from './csv-answer.ts'
import { requireRun } from './run-named.ts'

const newRun = z.strictObject({
  /** What it is called in lists and reports. */
  name: z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  /** For those who read the report. */
  note: z.string().max(1000, 'must be at most 1000 characters').optional(),
})
const path = { id: 'A run: its name, its number, or `last`.' }

/** A run is what comes behind its beginning, up to its end; at most one goes on at a time. */
export function runRoutes() {
  return new Hono<ControlEnv>()
    .get('/_mfano/runs', about('Runs, the newest first', { answers: asCsv }), csv('runs'), asks(plainList), (c) => {
      const { world } = c.env
      return json(c, { runs: world.core.store.runs.all().map((run) => counted(world, run)) })
    })

    .post('/_mfano/runs', about('Begin a run; the one that goes on ends'), takes(newRun), async (c) => {
      const { world } = c.env
      const run = await world.perform({ command: 'begin-run', ...c.req.valid('json') })
      return json(c, counted(world, run), 201)
    })

    .get('/_mfano/runs/:id', about('One run', { path, errors: ['404 NOT_FOUND'] }), (c) => {
      const { world } = c.env
      return json(c, counted(world, requireRun(world, c.req.param('id'))))
    })

    .post(
      '/_mfano/runs/:id/end',
      about('End a run; one that has ended stays as it is', { path, errors: ['404 NOT_FOUND'] }),
      async (c) => {
        const { world } = c.env
        const { id } = requireRun(world, c.req.param('id'))
        return json(c, counted(world, await world.perform({ command: 'end-run', id })))
      },
    )

    .delete(
      '/_mfano/runs/:id',
      about('Forget a run, and nothing of what happened in it', { path, errors: ['404 NOT_FOUND'] }),
      async (c) => {
        const { world } = c.env
        return json(c, await world.perform({ command: 'remove-run', id: requireRun(world, c.req.param('id')).id }))
      },
    )
}

/** With how many payments and requests it covers. */
function counted(world: World, run: Run) {
  return { ...shownRun(run), ...countsIn(world, spanOf(run)) }
}
