/** Runs by what they are called. */
import * as z from 'zod'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { hintOf } from '../../../core/model/hint.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import type { TestRun } from '../../../core/model/test-run.ts'
import type { World } from '../../../core/world.ts'

/** In queries. */
export const runName = z.string().min(1).max(200)

/** The newest run. */
const LAST = 'last'

/** A run by its name, its number, or `last`; of several of one name the newest. Refuses one that is not there. */
export function requireRun(world: World, named: string): TestRun {
  const { runs } = world.core.store
  const all = () => runs.all()
  const found =
    runs.byName(named) ??
    (/^\d{1,15}$/.test(named) ? runs.byId(Number(named)) : undefined) ??
    (named === LAST ? all()[0] : undefined)
  if (found) return found
  const names = all().map(({ name }) => name)
  throw new Refusal('NOT_FOUND', `run: there is no run "${named.slice(0, 80)}".${didYouMean(named, names)}`, {
    hints: names.length === 0 ? [hintOf('No run has begun yet: {} begins one', 'run.start')] : [],
  })
}

/** The run that is named; none where none is. */
export function runOf(world: World, named: string | undefined): TestRun | undefined {
  return named === undefined ? undefined : requireRun(world, named)
}
