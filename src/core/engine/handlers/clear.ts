/** Commands that clear hits or the journal. */
import type { CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { carryHits, SINCE } from '../../stretches.ts'

export function clearHits(core: Core): CommandResult<'clear-hits'> {
  const { counters } = core.store
  carryHits(core)
  for (const name of counters.named('rule:')) counters.set(name, 0)
  counters.set(SINCE.payment, counters.current('payment'))
  counters.set(SINCE.journal, counters.current('journal'))
  return { cleared: true }
}

export function clearJournal({ store }: Core): CommandResult<'clear-journal'> {
  store.journal.clear()
  return { cleared: true }
}
