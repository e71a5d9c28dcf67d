/** Finds wrong answers of the service that an app or a suite does not notice: each run changes one answer. */
import type { ControlBody } from '../client/control.ts'
import { MUTATION } from '../core/model/mutation.ts'
import type { ReportDocument } from '../core/model/report-document.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import type { Coverage } from '../inspect/coverage.ts'
import { runApp } from './explore/run-app.ts'
import {
  failing,
  kitWorlds,
  type MutantOutcome,
  type MutantsOptions,
  type MutantWorld,
  mutants,
} from './mutants/mutants.ts'
import { type MutantsReport, mutantRun, mutantsDocument } from './mutants/mutants-report.ts'
import { readEquivalents } from './mutants/mutations.ts'
import { type JudgeServer, withOwnServer } from './subject/own-worlds.ts'
import { endOfSuite, judgedSubject, type Subject } from './subject/subject-of.ts'
import type { SubjectOptions } from './subject.ts'

const START = '2025-01-24T16:28:00'
/** Unchanged runs of the usual world and of the failing world, which run at the same time. */
const TRUTHFUL_RUNS = 4

interface MutantsRun extends SubjectOptions {
  suiteWithinMs: number
  scenario: string
  seed: number
  least: number
  only: readonly string[]
  equivalents: string | undefined
  /** Judge over HTTPS. */
  tls: boolean
}

/** `coverage` holds what was exercised and which fields were read. It is null if no unchanged run ended. */
export async function findMutants(
  options: MutantsRun,
): Promise<ReportDocument<Omit<MutantsReport, 'coverage'>> & { coverage: Coverage | null }> {
  const { seed, only, signal, ended, suiteWithinMs, least, tls } = options
  const subject = judgedSubject(options)
  const equivalent = options.equivalents === undefined ? new Map() : readEquivalents(options.equivalents)
  const needs = { worlds: subject.jobs + TRUTHFUL_RUNS, tls, isGated: subject.merchant !== undefined }
  const { coverage, ...report } = await withOwnServer(needs, (server) =>
    mutants({
      subject: subject.name,
      server,
      worlds: worldsOf(options.scenario, seed, subject),
      run: (world) => runIn(subject, world, server, suiteWithinMs),
      jobs: subject.jobs,
      only,
      equivalent,
      signal,
      ended: (one) => ended(mutantRun(one)),
    }),
  )
  return { ...mutantsDocument(report, least, subject.command), coverage }
}

function worldsOf(scenario: string, seed: number, { merchant }: Subject): MutantsOptions['worlds'] {
  const { source, parameters } = scenarioLibrary().find(scenario).sendable()
  const world: ControlBody<'POST', '/worlds'> & { scenario: string } = {
    scenario: source,
    parameters,
    seed,
    ...(merchant && { clock: { mode: 'frozen' as const, start: START } }),
  }
  return merchant ? [world, failing(world)] : [world]
}

async function runIn(
  { merchant, patience, suite }: Subject,
  world: MutantWorld,
  server: JudgeServer,
  withinMs: number,
): Promise<MutantOutcome> {
  if (!merchant) {
    const kit = kitWorlds(world.mutant?.mutation)
    try {
      const { verdict, said } = await endOfSuite({ suite, env: { [MUTATION]: kit.variable } }, world, withinMs)
      return { verdict, said, told: kit.told() }
    } finally {
      kit.close()
    }
  }
  const { findings, unjudged, idle = false, books, acts = [] } = await runApp(merchant, world, { server, patience })
  const codes = findings.map(({ code }) => code)
  // An app that stops paying when it is told something wrong has noticed; one that never pays cannot be judged.
  if (unjudged !== undefined && !(idle && world.mutant)) return { verdict: 'unjudged', said: unjudged, findings: codes }
  const said = unjudged ?? findings.map(({ text }) => text).join('\n')
  return { verdict: codes.length > 0 ? 'red' : 'green', said, findings: codes, books, acts }
}
