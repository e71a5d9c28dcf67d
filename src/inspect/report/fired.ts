/** Scenarios of a run, and what of them fired and what never did. */
import { zonedText } from '../../core/model/calendar.ts'
import type { ScenarioStretch, StretchEntry, TestRun } from '../../core/model/test-run.ts'
import { stretchNow } from '../../core/stretches.ts'
import type { World } from '../../core/world.ts'

/** Its rules stand for outcomes that a request may ask for: nobody means all of them to fire. */
const ORDINARY = 'default'

/** A scenario that was in force, from when to when. */
export interface ScenarioInForce {
  scenario: string
  seed: number
  /** Null: since the world began. */
  since: string | null
  until: string
  /** Assumptions that were not at their default. */
  assumptions: { id: string; value: string; default: string; question: string }[]
}

/** A rule, a fault or an entry of the rails, and how often it fired. */
export interface Fired extends StretchEntry {
  scenario: string
  /** Of what never did in the scenario in force: why, with what came nearest. */
  why: string | null
}

/** What never fired, as the hits of the scenario in force have it. */
export type NeverFired = readonly { rule: string; what: string; why: string }[]

/** All that was in force, one after the other. `run`: the whole world without one. */
export function stretchesOf({ core }: World, run: TestRun | undefined): ScenarioStretch[] {
  const stored = core.store.runs.stretches(run?.id)
  return run?.end ? stored : [...stored, stretchNow(core)]
}

/** As reports show them. */
export function inForce({ core }: World, stretches: readonly ScenarioStretch[]): ScenarioInForce[] {
  return stretches.map(({ scenario, seed, sinceUs, untilUs, assumptions }) => ({
    scenario,
    seed,
    since: sinceUs === null ? null : zonedText(sinceUs, core.scenario.zone),
    until: zonedText(untilUs, core.scenario.zone),
    assumptions: Object.entries(assumptions).flatMap(([id, value]) => {
      const known = core.service.assumptions[id]
      return known ? [{ id, value, default: known.alternatives[0], question: known.question }] : []
    }),
  }))
}

/** Each of them once, what never fired last. What an ordinary day offers and nobody asked for is left out. */
export function firedIn(world: World, stretches: readonly ScenarioStretch[], neverFired: NeverFired): Fired[] {
  const found = new Map<string, Fired>()
  for (const { scenario, entries } of stretches)
    for (const entry of entries) {
      const key = JSON.stringify([scenario, entry.what, entry.name])
      found.set(key, { scenario, ...entry, hits: entry.hits + (found.get(key)?.hits ?? 0), why: null })
    }
  const reason = ({ scenario, what, name }: Fired) =>
    scenario === world.core.scenario.name
      ? (neverFired.find((one) => one.rule === name && one.what.replace(' ', '-') === what)?.why ?? null)
      : null
  return [...found.values()]
    .filter(({ scenario, hits }) => hits > 0 || scenario !== ORDINARY)
    .map((one) => (one.hits > 0 ? one : { ...one, why: reason(one) }))
    .sort((a, b) => b.hits - a.hits)
}
