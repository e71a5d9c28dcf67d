/** The command that changes the scenario. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { type Scenario, scenarioVersionOf, seeded, toStored } from '../../scenario.ts'
import { closeStretch } from '../../stretches.ts'
import { releaseAllFunded } from '../float-queue.ts'

export function setScenario(core: Core, { scenario }: Command<'set-scenario'>): CommandResult<'set-scenario'> {
  const before = core.scenario
  core.store.undo.onRollback(() => {
    core.scenario = before
  })
  keepVersion(core, scenario)
  closeStretch(core)
  core.store.meta.set('scenario', toStored(scenario))
  core.scenario = seeded(scenario, core.chance.seed)
  releaseAllFunded(core)
  core.emit({ type: 'scenario', atUs: core.clock.now(), name: scenario.name })
  return { name: scenario.name }
}

/** Stores the old rules if they decided a payment, so that it stays explained. */
function keepVersion({ store: { counters, meta }, scenario }: Core, next: Scenario): void {
  const decided = counters.current('decision')
  const version = scenarioVersionOf(scenario)
  const same = JSON.stringify(version) === JSON.stringify(scenarioVersionOf(next))
  if (decided === counters.current('edition:since') || same) return
  meta.set(`edition:${counters.next('edition') - 1}`, version)
  counters.set('edition:since', decided)
}
