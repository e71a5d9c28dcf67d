/** Commands on test runs: begin, end, remove. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { Refusal } from '../../model/refusal.ts'
import type { Mark, TestRun } from '../../model/test-run.ts'
import { closeStretch } from '../../stretches.ts'

export function beginRun(core: Core, { name, note }: Command<'begin-run'>): CommandResult<'begin-run'> {
  const { runs, counters } = core.store
  const before = runs.open()
  closeStretch(core)
  if (before) runs.save({ ...before, end: here(core) })
  const run: TestRun = {
    id: counters.next('run'),
    name,
    note: note ?? null,
    begin: here(core),
    end: null,
    compared: null,
  }
  runs.insert(run)
  return run
}

export function endRun(core: Core, { id }: Command<'end-run'>): CommandResult<'end-run'> {
  const run = known(core, id)
  if (run.end) return run
  closeStretch(core)
  const ended = { ...run, end: here(core) }
  core.store.runs.save(ended)
  return ended
}

export function removeRun(core: Core, { id }: Command<'remove-run'>): CommandResult<'remove-run'> {
  const run = known(core, id)
  core.store.runs.remove(run.id)
  return { removed: run.id }
}

function known({ store }: Core, id: number): TestRun {
  const run = store.runs.byId(id)
  if (run) return run
  throw new Refusal('NOT_FOUND', `there is no run ${id}`)
}

function here({ clock, store: { counters } }: Core): Mark {
  return {
    atUs: clock.now(),
    payment: counters.current('payment'),
    request: counters.current('journal'),
    callback: counters.current('callback'),
    check: counters.current('check'),
  }
}
