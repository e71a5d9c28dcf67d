/** What was tested, in a run or in a whole world, as data: every form of the report is printed from it. */
import { type Coverage, dimensions, type Gap } from '../coverage/coverage.ts'
import { presentZone, zonedText } from '../model/calendar.ts'
import type { InstantUs } from '../model/time.ts'
import { formatInstant } from '../model/time.ts'
import { spanOf } from '../questions/span.ts'
import type { Run } from '../store/run-tables.ts'
import type { World } from '../world/world.ts'
import { firedIn, inForce, type NeverFired, stretchesOf } from './fired.ts'
import { paidIn } from './paid.ts'
import { askedIn } from './requested.ts'
import { type Compared, type Problem, problemsOf, type RunVerdict, verdictOf } from './run-verdict.ts'
import { toldIn } from './told.ts'

/** A run as lists and reports show it. */
export interface ShownRun {
  id: number
  name: string
  note: string | null
  /** World time. */
  begunAt: string
  /** Null while it goes on. */
  endedAt: string | null
}

/** What was covered of one dimension. */
export interface CoveredPart {
  dimension: string
  percent: number
  hit: number
  gaps: Gap[]
}

export type RunReport = Awaited<ReturnType<typeof runReport>>

/** What those who ask for a report hand to it. */
export interface ReportGiven {
  /** The whole world without. */
  run: Run | undefined
  coverage: Coverage
  neverFired: NeverFired
  /** The last comparison that the world knows. */
  compared: Compared | null
  baseUrl: string
  version: string
}

/** Goes through everything that the run covers once. */
export async function runReport(world: World, given: ReportGiven) {
  const { run, coverage, version, baseUrl } = given
  const { core, origin } = world
  const { clock, scenario } = core
  const span = spanOf(run)
  const stretches = stretchesOf(world, run)
  const [paid, asked, told] = [await paidIn(world, span), await askedIn(world, span), await toldIn(world, span)]
  const fired = firedIn(world, stretches, given.neverFired)
  const compared = run ? (run.compared as Compared | null) : given.compared
  const counts = { payments: paid.counts, requests: asked.counts, callbacks: told.counts }
  const problems: Problem[] = problemsOf({ counts, fired, compared })
  const verdict: RunVerdict = verdictOf(problems, counts)
  const at = (atUs: InstantUs) => zonedText(atUs, scenario.zone)
  return {
    /** What it is called: the run, or the world. */
    title: run?.name ?? world.id,
    run: run ? shownRun(run) : null,
    world: world.id,
    baseUrl,
    mfano: version,
    /** World time when it was made: what it tells of payments and callbacks is as of then. */
    asOf: at(clock.now()),
    from: at(run?.begin.atUs ?? core.store.organisations.byId(1).createdAtUs),
    until: run?.end ? at(run.end.atUs) : null,
    zone: presentZone(scenario.zone),
    clock: clock.state().mode,
    /** Of the world: the same seed and the same requests give the same outcomes. */
    seed: origin.seed,
    wary: scenario.wary,
    verdict,
    problems,
    counts,
    scenarios: inForce(world, stretches),
    fired,
    outcomes: paid.outcomes,
    failed: paid.failed,
    byHand: paid.byHand,
    operations: asked.operations,
    refusals: asked.refusals,
    addresses: told.addresses,
    callbackFaults: told.faults,
    givenUp: told.givenUp,
    compared: compared && { at: compared.at, findings: compared.findings, warnings: compared.warnings },
    coverage: coveredParts(coverage),
  }
}

export function shownRun({ id, name, note, begin, end }: Run): ShownRun {
  return { id, name, note, begunAt: formatInstant(begin.atUs), endedAt: end && formatInstant(end.atUs) }
}

function coveredParts(coverage: Coverage): CoveredPart[] {
  return dimensions.map((dimension) => {
    const { percent, hit, gaps } = coverage[dimension]
    return { dimension, percent, hit: hit.length, gaps }
  })
}
