import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import type { ReportDocument } from '../inspect/report-document.ts'
import { type CompareReport, compareDocument } from './compare/compare-report.ts'
import { compare } from './compare/comparison.ts'
import { inNewWorld, openServer, withSetting, worldOf } from './subject/own-worlds.ts'
import { readTrafficFile } from './traffic/read-traffic.ts'

/** Callbacks are dropped, because the addresses in recorded requests belong to somebody's real app. */
const UNTOLD = [{ name: 'nobody is told', on: 'any', then: { drop: true } }]
const EARLIEST_MS = 0

interface CompareRun {
  file: string
  scenario: string
  signal: AbortSignal
}

export async function compareTraffic({ file, scenario, signal }: CompareRun): Promise<ReportDocument<CompareReport>> {
  const traffic = readTrafficFile(file)
  const startMs = Math.max(traffic.entries[0]?.atMs ?? 0, EARLIEST_MS)
  // Nobody is told of anything, and time stands still: states come when an answer shows them.
  const shipped = worldOf(scenarioLibrary().find(scenario))
  const world = {
    ...shipped,
    scenario: withSetting(shipped.scenario, ['callbacks', 'faults'], UNTOLD),
    clock: { mode: 'frozen' as const, start: new Date(startMs).toISOString() },
  }
  const server = await openServer({ worlds: 1 })
  const report = await inNewWorld(server, world, (made) => compare(traffic, made, signal)).finally(() => server.close())
  return compareDocument(report, file)
}
