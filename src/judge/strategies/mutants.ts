/** Runs a test suite in truthful worlds, then once for each thing that can be told otherwise, and says what it noticed. */
import { counted } from '../../core/model/text.ts'
import type { Mutation } from '../../core/presentation.ts'
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import type { ReportDocument, ReportRun } from '../../inspect/report-document.ts'
import { endOf, type SubjectEnd } from '../explore/run-app.ts'
import { type SubjectRuns, type TimedRun, withRuns } from '../explore/subject-runs.ts'
import { unlessAborted, worldOf } from '../subject/own-worlds.ts'
import { judgedDocument, saidSection, verdictMarks } from '../subject/report.ts'
import { judgedSubject } from '../subject/subject-of.ts'
import type { SubjectOptions } from '../subject.ts'
import { type Mutant, mutantsOf } from './mutations.ts'

interface MutantResult {
  mutation: Mutation
  field: string
  change: string
  /** `killed`: the suite turned red. `survived`: it stayed green. `unjudged`: it could not be run. */
  verdict: 'killed' | 'survived' | 'unjudged'
  /** `suite`: it noticed. `asked`: it only asked otherwise. */
  by: string | null
  text: string
  tookMs: number
}

export interface MutantsReport {
  subject: string
  /** The run without any mutant; where it is red, nothing else is run. */
  truthful: SubjectEnd
  mutants: MutantResult[]
  score: number | null
  interrupted: boolean
}

interface MutantsOptions extends SubjectOptions {
  seed: number
  /** Per cent that must be noticed. */
  least: number
  only: readonly string[]
}

/** Two truthful runs: what differs between them says nothing. */
type Truth = readonly [TimedRun, TimedRun]

export async function findMutants(options: MutantsOptions): Promise<ReportDocument<MutantsReport>> {
  const { seed, signal, least } = options
  const { name, command, ...subject } = judgedSubject(options)
  const results: MutantResult[] = []
  const truthful = await withRuns({ ...subject, seed }, (runs) => runMutants(options, runs, results))
  const judged = results.filter(({ verdict }) => verdict !== 'unjudged')
  const killed = judged.filter(({ verdict }) => verdict === 'killed')
  const read = judged.filter(({ by }) => by !== null).map(({ field }) => field)
  const mutants = results
    .map((one) => withReason(one, read))
    .sort((a, b) => `${a.field} ${a.change}`.localeCompare(`${b.field} ${b.change}`))
  const score = judged.length === 0 ? null : Math.floor((killed.length / judged.length) * 100)
  return mutantsDocument({ subject: name, truthful, mutants, score, interrupted: signal.aborted }, least, command)
}

/** Runs everything; ends early with what was found so far when it is told to stop. */
async function runMutants(options: MutantsOptions, runs: SubjectRuns, results: MutantResult[]): Promise<SubjectEnd> {
  const { signal, ended, only } = options
  const world = worldOf(scenarioLibrary().find(options.scenario))
  const run = (mutant?: Mutant) => {
    const tells = mutant?.mutation ?? ('truth' as const)
    return unlessAborted(signal, () => runs.run([], { world, isTraced: true, tells }))
  }
  const [first, again] = await Promise.all([run(), run()])
  if (!first || !again) return { verdict: 'unjudged', said: '' }
  const bad = [first, again].map(endOf).find(({ verdict }) => verdict !== 'green')
  if (bad) return bad
  const isWanted = ({ field, change }: Mutant) =>
    only.length === 0 || only.some((text) => `${field} ${change}`.includes(text))
  const each = mutantsOf(first.traces?.told ?? [])
    .filter(isWanted)
    .map(async (mutant) => {
      const here = await run(mutant)
      if (!here) return
      const result = judged(mutant, [first, again], here)
      results.push(result)
      ended(mutantRun(result))
    })
  await Promise.all(each)
  return { verdict: 'green', said: '' }
}

/** Such as `createSendMoney 201 ×2`: in which order requests came is no matter. */
function requestsIn({ traces }: TimedRun): string[] {
  const names = traces?.requests.map(({ operation, method, status }) => `${operation ?? method} ${status}`) ?? []
  return [...Map.groupBy(names, (name) => name)].map(([name, all]) => `${name} ×${all.length}`).sort()
}

/** The first that was asked for otherwise than in truth. */
function askedOtherwise(truth: Truth, here: TimedRun): string | undefined {
  const [inTruth, again, now] = [...truth, here].map(requestsIn)
  if (!inTruth || !now || inTruth.join() !== again?.join()) return undefined
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

/** That nothing reads a field is not said of one that another mutant proved to be read. */
function withReason(one: MutantResult, read: readonly string[]): MutantResult {
  if (one.verdict !== 'survived' || one.by !== null || !read.includes(one.field)) return one
  return { ...one, text: `${one.field} ${one.change}: survived; it is read, and this made no difference` }
}

function mutantRun({ field, change, verdict, tookMs, text }: MutantResult): ReportRun {
  return { ...verdictMarks[verdict], name: `${field} ${change}`, tookMs, why: text }
}

/** `least`: of a hundred, so many have to be noticed. `typed`: the subject as it stands behind `mfano mutants`. */
function mutantsDocument(report: MutantsReport, least: number, typed: string): ReportDocument<MutantsReport> {
  const { subject, truthful, mutants, interrupted, score } = report
  const survivors = mutants.filter(({ verdict }) => verdict === 'survived')
  const judged = counted(mutants.filter(({ verdict }) => verdict !== 'unjudged').length, 'mutant')
  const none = mutants.length === 0 ? 'There was nothing to change.' : 'No mutant was judged that counts.'
  const text = score === null ? none : `${score}% of ${judged} killed.`
  const how = truthful.verdict === 'red' ? 'fails with correct answers already' : 'could not be judged'
  return judgedDocument({
    ...{ by: 'mfano mutants', title: subject, data: report, interrupted, lead: [] },
    open: truthful.verdict === 'green' ? undefined : `It ${how}, so no mutant was tried.`,
    bad: score !== null && score < least ? text : undefined,
    good: text,
    sections: [
      saidSection(truthful.said),
      {
        title: 'Survived',
        points: survivors.map((one) => ({
          text: one.text,
          command: `mfano mutants --only "${one.field} ${one.change}" ${typed}`,
        })),
        isOpen: true,
      },
    ],
    runs: mutants.map(mutantRun),
  })
}
