/**
 * Sends the requests of a HAR file to mfano, compares the answers, and finds the assumptions that explain the
 * differences.
 */
import { availableParallelism } from 'node:os'
import type { ReportDocument } from '../core/model/report-document.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import { paymentsService } from '../service/service.ts'
import { fromTraffic } from './calibrate/from-traffic.ts'
import { compareDocument } from './compare/compare-document.ts'
import type { CompareReport } from './compare/compare-report.ts'
import { compare } from './compare/comparison.ts'
import { withOwnServer } from './subject/own-server.ts'
import { variantsOf } from './subject/scenario-variants.ts'
import { maskedBy, readTrafficFile, secretsIn } from './traffic/traffic-file.ts'

const WORLDS_PER_CPU = 2
/** Callbacks are dropped, because the addresses in recorded requests belong to somebody's real app. */
const UNTOLD = [{ name: 'nobody is told', on: 'any', then: { drop: true } }]
const EARLIEST_MS = 0

interface CompareRun {
  file: string
  scenario: string
  signal: AbortSignal
}

export async function compareTraffic({ file, scenario, signal }: CompareRun): Promise<ReportDocument<CompareReport>> {
  const recorded = readTrafficFile(file)
  const secrets = secretsIn(recorded)
  const variant = variantsOf(scenarioLibrary(paymentsService).find(scenario))
  const jobs = WORLDS_PER_CPU * availableParallelism()
  const report = await withOwnServer(jobs, ({ baseUrl }) =>
    compare({
      url: baseUrl,
      // Nobody is told of anything, and time stands still: states come when an answer shows them.
      world: (choices, startMs) => ({
        ...variant(choices, UNTOLD),
        clock: { mode: 'frozen', start: new Date(Math.max(startMs, EARLIEST_MS)).toISOString() },
      }),
      recorded,
      ends: new Set([...paymentsService.kinds].flatMap(({ ends }) => ends)),
      secrets,
      jobs,
      signal,
    }),
  )
  const told = fromTraffic(
    recorded.map((one) => maskedBy(secrets, one)),
    paymentsService.assumptions,
  )
  return compareDocument({ ...report, told: told.filter(({ verdict }) => verdict !== 'not-asked') }, file)
}
