/** Finds wrong answers of the service that an app or a suite does not notice: each run changes one answer. */
import type { ControlBody } from '../client/control.ts'
import { MUTATION } from '../core/model/mutation.ts'
import type { ReportDocument } from '../core/model/report-document.ts'
import { scenarioLibrary } from '../hosts/node/scenarios.ts'
import type { Coverage } from '../inspect/coverage.ts'
import { endOf } from './explore/run-app.ts'
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
import { BEGINNING, type JudgeServer, withOwnServer } from './subject/own-worlds.ts'
import { judgedSubject, type Subject } from './subject/subject-of.ts'
import type { SubjectOptions } from './subject.ts'

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
      run: (world) => runIn(subject, world, { server, withinMs: suiteWithinMs }),
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
    ...(merchant && { clock: { mode: 'frozen' as const, start: BEGINNING } }),
  }
  return merchant ? [world, failing(world)] : [world]
}

async function runIn(
  subject: Subject,
  world: MutantWorld,
  given: { server: JudgeServer; withinMs: number },
): Promise<MutantOutcome> {
  const kit = kitWorlds(world.mutant?.mutation)
  try {
    const { verdict, said, outcome } = await endOf(subject, world, { ...given, env: { [MUTATION]: kit.variable } })
    if (!outcome) return { verdict, said, told: kit.told() }
    const { findings, idle, books, acts = [] } = outcome
    // An app that stops paying when it is told something wrong has noticed; one that never pays cannot be judged.
    const isNoticed = idle === true && world.mutant !== undefined
    return { verdict: isNoticed ? 'green' : verdict, said, findings: findings.map(({ code }) => code), books, acts }
  } finally {
    kit.close()
  }
}
