/** Asks mfano what the real service was asked in a HAR file, and finds what differs and which assumptions settle it. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { ReportDocument } from '../core/model/report-document.ts'
import { whyUnreadable } from '../hosts/node/file-access.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import { paymentsService } from '../service/service.ts'
import { compareDocument } from './compare/compare-document.ts'
import type { CompareReport } from './compare/compare-report.ts'
import { compare } from './compare/comparison.ts'
import { withOwnServer } from './subject/own-server.ts'
import { variantsOf } from './subject/scenario-variants.ts'
import { Unusable } from './subject.ts'
import { HarUnreadable, type Recorded, readHar } from './traffic/har.ts'
import { Secrets } from './traffic/secrets.ts'

const WORLDS_PER_CPU = 2
/** The addresses in recorded requests are those of somebody's real app. */
const UNTOLD = [{ name: 'nobody is told', on: 'any', then: { drop: true } }]
/** Simulated time begins no earlier. */
const EARLIEST_MS = 0

interface CompareRun {
  /** A HAR file. */
  file: string
  /** What its worlds begin with: a name or a file. */
  scenario: string
  signal: AbortSignal
}

export async function compareTraffic({ file, scenario, signal }: CompareRun): Promise<ReportDocument<CompareReport>> {
  const recorded = read(file)
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
      secrets: secretsIn(recorded),
      jobs,
      signal,
    }),
  )
  return compareDocument(report, file)
}

function read(file: string): Recorded[] {
  try {
    return readHar(readFileSync(file, 'utf8'))
  } catch (error) {
    const hint = error instanceof HarUnreadable ? `it is no traffic: ${error.message}` : whyUnreadable(error)
    throw new Unusable(`${file} cannot be read:`, { code: 'TRAFFIC_UNREADABLE', hint })
  }
}

/** What is secret in somebody else's file is never told either. */
function secretsIn(recorded: readonly Recorded[]): Secrets {
  const secrets = new Secrets()
  for (const { headers, path, body, answer, mediaType } of recorded) {
    for (const [name, value] of Object.entries(headers)) secrets.header(name, value)
    secrets.path(path)
    secrets.body(body, headers['content-type'] ?? '')
    secrets.body(answer, mediaType)
  }
  return secrets
}
