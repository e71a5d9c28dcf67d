/** Performs steps that are due. */
import type { Core } from './core.ts'
import type { GroupCommit } from './engine/group-commit.ts'
import { type Due, LANE } from './model/due.ts'
import type { InstantUs } from './model/time.ts'
import { perform } from './perform.ts'

export function takeDue(core: Core, commit: GroupCommit, byUs: InstantUs, limit: number): number {
  const { agenda, payments, ledger } = core.store
  try {
    const rows = agenda.due(LANE.steps, byUs, limit)
    const last = rows.at(-1)
    if (!last) return 0
    if (rows.length > 1) {
      payments.readAhead(last)
      ledger.readAhead(last)
    }
    const work = () => {
      // SQLite would keep what each page held before, for each savepoint anew.
      const { ok } = commit.attempt(() => {
        for (const { subject: seq, event } of rows) perform(core, { command: 'step-payment', seq, event })
      })
      if (!ok) for (const row of rows) takeStep(core, commit, row)
      agenda.removeThrough(LANE.steps, last)
    }
    if (core.recorder) core.recorder.during(() => ({ steps: { byUs, limit } }), work)
    else work()
    return rows.length
  } finally {
    payments.forgetAhead()
    ledger.forgetAhead()
  }
}

/** Each in its own savepoint, so that a failing step stops no other. */
function takeStep(core: Core, commit: GroupCommit, { subject: seq, event }: Due): void {
  const outcome = commit.attempt(() => perform(core, { command: 'step-payment', seq, event }))
  if (!outcome.ok) core.observer.error(outcome.error, `step ${event} of payment ${seq}`)
}
