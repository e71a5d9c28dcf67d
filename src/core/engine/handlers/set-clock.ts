/** The command that changes mode, rate and time. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { emitClockEvent } from '../../emit-events.ts'

export function setClock(core: Core, { mode, rate, nowUs }: Command<'set-clock'>): CommandResult<'set-clock'> {
  const { clock, store } = core
  const fromUs = clock.now()
  const before = clock.state()
  store.undo.onRollback(() => clock.restore(before))
  clock.set({ mode, rate, nowUs })
  store.meta.set('clock', clock.state())
  emitClockEvent(core, fromUs)
  return { nowUs: clock.now() }
}
