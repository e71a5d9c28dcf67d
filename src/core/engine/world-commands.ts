import { type Core, emitClockEvent, type FaultyRequest, factsOfRequest, windowOf } from '../core.ts'
import type { ResponseFault } from '../model/faults.ts'
import type { Mark, TestRun } from '../model/journal.ts'
import { Refusal } from '../model/refusal.ts'
import type { InstantUs } from '../model/time.ts'
import { type Scenario, scenarioVersionOf, toStored } from '../scenario.ts'
import { closePeriod } from '../scenario-periods.ts'
import type { ClockChange } from './clock.ts'
import { releaseAllFunded } from './payments.ts'

/** From now on or from an instant. Time cannot go back, because what happened then is stored. */
export function setClock(core: Core, change: ClockChange): { nowUs: InstantUs } {
  const { clock, store } = core
  const fromUs = clock.now()
  const before = clock.state()
  store.undo.onRollback(() => clock.restore(before))
  clock.set(change)
  store.meta.set('clock', clock.state())
  emitClockEvent(core, fromUs)
  return { nowUs: clock.now() }
}

export function setScenario(core: Core, { scenario }: { scenario: Scenario }): { name: string } {
  const before = core.scenario
  core.store.undo.onRollback(() => {
    core.scenario = before
  })
  keepVersion(core, scenario)
  closePeriod(core)
  core.store.meta.set('scenario', toStored(scenario))
  core.scenario = scenario.withSeed(core.chance.seed)
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

export function applyResponseFault(core: Core, input: FaultyRequest): ResponseFault | null {
  const { counters } = core.store
  const match = core.scenario.matchFault(factsOfRequest(core, input, counters.next(`request:${input.operation.id}`)))
  if (core.trace) core.trace.fault = match
  const { caller } = input
  for (const fault of match.counted) counters.next(`turn:${fault}`)
  for (const { fault, window: number } of match.letThrough) {
    const name = windowOf(fault, input)
    if (counters.current(`${name}:window`) !== number) counters.set(`${name}:count`, 0)
    counters.set(`${name}:window`, number)
    counters.next(`${name}:count`)
  }
  if (match.revoke && caller) {
    counters.set(`revoked:${caller.organisationId}`, counters.current(`token:${caller.organisationId}`))
  }
  if (match.fault) counters.next(`rule:${match.fault.by}`)
  return match.fault ?? null
}

export function clearJournal({ store }: Core): { cleared: true } {
  store.journal.clear()
  return { cleared: true }
}

export function beginRun(core: Core, { name, note }: { name: string; note?: string | undefined }): TestRun {
  const { runs, counters } = core.store
  const before = runs.open()
  closePeriod(core)
  if (before) runs.save({ ...before, end: currentMark(core) })
  const run: TestRun = {
    id: counters.next('run'),
    name,
    note: note ?? null,
    begin: currentMark(core),
    end: null,
    compared: null,
  }
  runs.save(run)
  return run
}

export function endRun(core: Core, { id }: { id: number }): TestRun {
  const run = requireRun(core, id)
  if (run.end) return run
  closePeriod(core)
  const ended = { ...run, end: currentMark(core) }
  core.store.runs.save(ended)
  return ended
}

export function removeRun(core: Core, { id }: { id: number }): { removed: number } {
  const run = requireRun(core, id)
  core.store.runs.remove(run.id)
  return { removed: run.id }
}

function requireRun({ store }: Core, id: number): TestRun {
  const run = store.runs.byId(id)
  if (run) return run
  throw new Refusal('NOT_FOUND', `there is no run ${id}`)
}

function currentMark({ clock, store: { counters } }: Core): Mark {
  return {
    atUs: clock.now(),
    payment: counters.current('payment'),
    request: counters.current('journal'),
    callback: counters.current('callback'),
    check: counters.current('check'),
  }
}
