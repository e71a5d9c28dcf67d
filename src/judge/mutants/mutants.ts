/** Runs a test suite in truthful worlds, then once for each thing that can be told otherwise, and says what it noticed. */

import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import type { ReportDocument } from '../../inspect/report-document.ts'
import { endOf } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { unlessAborted } from '../subject/own-worlds.ts'
import { judgedSubject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import { type MutantResult, type MutantsReport, mutantRun, mutantsDocument, mutantsReport } from './mutants-report.ts'
import { type Mutant, mutantsOf } from './mutations.ts'

interface MutantsOptions extends SubjectOptions {
  scenario: string
  seed: number
  /** Per cent that must be noticed. */
  least: number
  only: readonly string[]
  tls: boolean
}

/** Two truthful runs: what differs between them says nothing. */
interface Truth {
  ran: TimedRun
  again: TimedRun
}

export async function findMutants(options: MutantsOptions): Promise<ReportDocument<MutantsReport>> {
  const { seed, signal, least, tls } = options
  const { name, command, ...subject } = judgedSubject(options)
  const report = await withRuns({ ...subject, seed, tls, signal }, (runs) => mutants(options, name, runs))
  return mutantsDocument(report, least, command)
}

/** Runs everything; ends early with what was found so far when it is told to stop. */
async function mutants(options: MutantsOptions, name: string, runs: SubjectRuns): Promise<MutantsReport> {
  const { signal, ended, only } = options
  const results: MutantResult[] = []
  const report = (truthful: MutantsReport['truthful']) => mutantsReport(name, truthful, results, signal.aborted)
  const { source, parameters } = scenarioLibrary().find(options.scenario).sendable()
  const world = { scenario: source, parameters }
  const run = (mutant?: Mutant) => {
    const tells = mutant?.mutation ?? ('truth' as const)
    return unlessAborted(signal, () => runs.run([], { world, isTraced: true, tells }))
  }
  const [ran, again] = await Promise.all([run(), run()])
  if (!ran || !again) return report({ verdict: 'unjudged', said: '' })
  const bad = [ran, again].map(endOf).find(({ verdict }) => verdict !== 'green')
  if (bad) return report(bad)
  const isWanted = ({ field, change }: Mutant) =>
    only.length === 0 || only.some((text) => `${field} ${change}`.includes(text))
  const each = mutantsOf(ran.traces?.told ?? [])
    .filter(isWanted)
    .map(async (mutant) => {
      const here = await run(mutant)
      if (!here) return
      const result = judged(mutant, { ran, again }, here)
      results.push(result)
      ended(mutantRun(result))
    })
  await Promise.all(each)
  results.sort((a, b) => `${a.field} ${a.change}`.localeCompare(`${b.field} ${b.change}`))
  return report({ verdict: 'green', said: '' })
}

/** Such as `createSendMoney 201 ×2`: in which order requests came is no matter. */
function requestsIn({ traces }: TimedRun): string[] {
  const names = traces?.requests.map(({ operation, method, status }) => `${operation ?? method} ${status}`) ?? []
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ×${all.length}`).sort()
}

/** The first that was asked for otherwise than in truth. */
function askedOtherwise({ ran, again }: Truth, here: TimedRun): string | undefined {
  const [inTruth, now] = [requestsIn(ran), requestsIn(here)]
  if (inTruth.join() !== requestsIn(again).join()) return undefined
  return now.find((one) => !inTruth.includes(one)) ?? inTruth.find((one) => !now.includes(one))
}

function judged(mutant: Mutant, truth: Truth, here: TimedRun): MutantResult {
  const { mutation, field, change } = mutant
  const of = (verdict: MutantResult['verdict'], by: string | null, why: string): MutantResult => ({
    ...{ mutation, field, change, verdict, by },
    ...{ text: `${field} ${change}: ${verdict}; ${why}`, tookMs: here.tookMs },
  })
  const { verdict, said } = endOf(here)
  if (verdict === 'red') return of('killed', 'suite', 'the suite is red')
  if (verdict === 'unjudged') return of('unjudged', null, said)
  const other = askedOtherwise(truth, here)
  return other === undefined
    ? of('survived', null, mutant.unnoticed)
    : of('survived', 'asked', `it is read, and nothing came of it but other requests (${other})`)
}
