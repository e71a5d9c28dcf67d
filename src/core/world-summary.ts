/** Facts about a world that can be read while it is closed. */
import { Clock, type ClockState } from './clock/clock.ts'
import { type InstantUs, LAST_INSTANT_US } from './model/time.ts'
import type { Sql } from './sql.ts'
import { nextDue } from './store/agenda-table.ts'
import { Meta } from './store/meta-table.ts'
import { type WorldHistory, worldHistoryIn } from './store/store.ts'
import type { World } from './world.ts'
import { callbacksPaused, readClock, readOrigin, readStoredScenario } from './world-meta.ts'

export interface WorldSummary extends WorldHistory {
  scenario: string
  seed: number
  clock: ClockState
  nextDueUs: InstantUs | undefined
  callbacksPaused: boolean
}

export function summaryOf({ core, origin, timekeeper }: World): WorldSummary {
  return {
    scenario: core.scenario.name,
    seed: origin.seed,
    clock: core.clock.state(),
    ...worldHistoryIn(core.store.sql),
    nextDueUs: timekeeper.nextDueUs(),
    callbacksPaused: callbacksPaused(core.store.meta),
  }
}

export function summaryIn(sql: Sql): WorldSummary {
  const meta = new Meta(sql)
  const origin = readOrigin(meta)
  const scenario = readStoredScenario(meta)
  const clock = readClock(meta)
  if (!origin || !scenario || !clock) throw new Error('This world never began.')
  const paused = { callbacksPaused: callbacksPaused(meta) }
  const nextDueUs = nextDue(sql, paused)
  return { scenario: scenario.name, seed: origin.seed, clock, ...worldHistoryIn(sql), nextDueUs, ...paused }
}

export function nowIn({ clock }: WorldSummary, wallUs: () => number): InstantUs {
  return new Clock(clock, wallUs).now()
}

/** Real milliseconds until its next due event; undefined when it may stay closed. */
export function wakesAfterMs(summary: WorldSummary, wallUs: () => number): number | undefined {
  if (summary.nextDueUs === undefined || summary.nextDueUs > LAST_INSTANT_US) return undefined
  const waitUs = summary.nextDueUs - nowIn(summary, wallUs)
  if (waitUs <= 0) return 0
  return summary.clock.mode === 'frozen' ? undefined : Math.ceil(waitUs / summary.clock.rate / 1000)
}
