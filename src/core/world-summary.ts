/** Facts about a world that can be read while it is closed. */
import { Clock, type ClockState } from './clock/clock.ts'
import { must } from './model/must.ts'
import { type InstantUs, LAST_INSTANT_US } from './model/time.ts'
import type { Sql } from './sql.ts'
import { nextDue } from './store/agenda-table.ts'
import { Meta } from './store/meta-table.ts'
import type { World } from './world.ts'
import { readClock, readOrigin, readStoredScenario } from './world-meta.ts'

export interface WorldSummary {
  scenario: string
  seed: number
  clock: ClockState
  /** When it began, in simulated time. */
  beganUs: InstantUs
  payments: number
  nextDueUs: InstantUs | undefined
}

export function summaryOf({ core, origin, timekeeper }: World): WorldSummary {
  return {
    scenario: core.scenario.name,
    seed: origin.seed,
    clock: core.clock.state(),
    ...historyIn(core.store.sql),
    nextDueUs: timekeeper.nextDueUs(),
  }
}

export function summaryIn(sql: Sql): WorldSummary {
  const meta = new Meta(sql)
  const origin = readOrigin(meta)
  const scenario = readStoredScenario(meta)
  const clock = readClock(meta)
  if (!origin || !scenario || !clock) throw new Error('This world never began.')
  return { scenario: scenario.name, seed: origin.seed, clock, ...historyIn(sql), nextDueUs: nextDue(sql) }
}

/** A world begins with its first organisation. Payments are numbered from 1 and never deleted, so no row is counted. */
function historyIn(sql: Sql): Pick<WorldSummary, 'beganUs' | 'payments'> {
  const text = `SELECT (SELECT min(created_at_us) FROM organisation) AS beganUs,
    coalesce((SELECT max(seq) FROM payment), 0) AS payments`
  return must(sql.prepare<Pick<WorldSummary, 'beganUs' | 'payments'>>(text).get())
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
