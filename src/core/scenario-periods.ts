import type { Core } from './core.ts'
import type { PeriodEntry, ScenarioPeriod } from './model/journal.ts'
import type { InstantUs } from './model/time.ts'

interface Begun {
  sinceUs: InstantUs | null
  hits: Record<string, number>
}

const BEGUN = 'period'
const PREFIX = 'rule:'

export function presentPeriod({ scenario, service, store, clock }: Core): ScenarioPeriod {
  const begun = store.meta.get<Begun>(BEGUN)
  const { name, seed, assumptions, rules, faults, callbackFaults, railEntries } = scenario
  const counted = (
    what: PeriodEntry['what'],
    { name: entry, file, line, inherited }: Omit<PeriodEntry, 'what' | 'hits'>,
  ): PeriodEntry => {
    const hits = store.counters.current(PREFIX + entry) - (begun?.hits[entry] ?? 0)
    return { what, name: entry, file, line, inherited, hits }
  }
  const entries = [
    ...rules.map((one) => counted('rule', one)),
    ...faults.map((one) => counted('fault', one)),
    ...callbackFaults.map((one) => counted('callback-fault', one)),
    ...railEntries.map((one) => counted(one.sort, one)),
  ]
  const changed = Object.entries(assumptions).filter(
    ([id, value]) => service.assumptions[id]?.alternatives[0] !== value,
  )
  return {
    scenario: name,
    seed,
    assumptions: Object.fromEntries(changed),
    sinceUs: begun?.sinceUs ?? null,
    untilUs: clock.now(),
    entries: entries.filter(({ hits, inherited }) => hits > 0 || !inherited),
  }
}

export function closePeriod(core: Core): void {
  const { meta, counters, runs } = core.store
  runs.addPeriod(runs.open()?.id ?? null, presentPeriod(core))
  const hits = Object.fromEntries(
    counters.withPrefix(PREFIX).map((name) => [name.slice(PREFIX.length), counters.current(name)]),
  )
  meta.set(BEGUN, { sinceUs: core.clock.now(), hits } satisfies Begun)
}
