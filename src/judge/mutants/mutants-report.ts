/** The result of a run of mutants. */

import { counted } from '../../core/model/text.ts'
import type { Mutation } from '../../core/presentation.ts'
import { type Coverage, covered, mergeCoverage } from '../../inspect/coverage.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import { judgedDocument, saidSection, scorecardOf, texts } from '../subject/report.ts'

/**
 * `killed`: it was noticed. `survived`: books and acknowledgements came out as in truth, or the suite stayed green.
 * `unjudged`: it could not be run.
 */
export type MutantVerdict = 'killed' | 'survived' | 'unjudged'

export interface MutantResult {
  mutation: Mutation
  /** `amount in the send-money callback`. */
  field: string
  /** `×100`. */
  change: string
  verdict: MutantVerdict
  /** The sign that noticed it: `books`, `finding`, `refused`, `act`, `suite`; or that the app only asked otherwise. */
  by: string | null
  /** In one line. */
  text: string
  /** Real milliseconds. */
  tookMs: number
}

export interface MutantsReport {
  subject: string
  /** The run without any mutant; where it is red, nothing else is run. */
  truthful: { verdict: 'green' | 'red' | 'unjudged'; said: string }
  mutants: MutantResult[]
  /** Killed, per cent of those that were judged; null where there were none. */
  score: number | null
  /** Fields that a mutant proved to be read, and those that none did although one could. */
  read: { proven: string[]; unproven: string[] }
  /** Coverage of the truthful runs, with the fields that are read; null where there is no such run. */
  coverage: Coverage | null
  /** It was stopped before all had run. */
  interrupted: boolean
}

/** That nothing reads a field is not said of one that another mutant proved to be read. */
function withReason(one: MutantResult, proven: readonly string[]): MutantResult {
  if (one.verdict !== 'survived' || one.by !== null || !proven.includes(one.field)) return one
  return { ...one, text: `${one.field} ${one.change}: survived; it is read, and this made no difference` }
}

/** The other parts of a report. */
interface Circumstances {
  exercised: readonly Coverage[]
  interrupted: boolean
}

function nameOf({ field, change }: MutantResult): string {
  return `${field} ${change}`
}

/** The report of what was run. */
export function mutantsReport(
  subject: string,
  truthful: MutantsReport['truthful'],
  mutants: MutantResult[],
  { exercised, interrupted }: Circumstances,
): MutantsReport {
  const judged = mutants.filter(({ verdict }) => verdict === 'killed' || verdict === 'survived')
  const killed = judged.filter(({ verdict }) => verdict === 'killed')
  const fields = [...new Set(judged.map(({ field }) => field))]
  const proven = fields.filter((field) => judged.some((one) => one.field === field && one.by !== null))
  const unproven = fields.filter((field) => !proven.includes(field))
  const read = covered(
    proven,
    unproven.map((name) => ({ name })),
  )
  return {
    subject,
    truthful,
    mutants: mutants.map((one) => withReason(one, proven)),
    score: judged.length === 0 ? null : Math.floor((killed.length / judged.length) * 100),
    read: { proven, unproven },
    coverage: exercised.length === 0 ? null : { ...mergeCoverage(exercised), read },
    interrupted,
  }
}

// The report of a run of mutants: the score, and the survivors.

const marks = {
  killed: ['good', 'killed'],
  survived: ['bad', 'SURVIVED'],
  unjudged: ['open', 'unjudged'],
} as const

/** A mutant that has ended. */
export function mutantRun({ field, change, verdict, tookMs, text }: MutantResult): ReportRun {
  const [mood, word] = marks[verdict]
  return { mood, word, name: `${field} ${change}`, tookMs, why: text }
}

type Told = Omit<MutantsReport, 'coverage'>

/** `least`: of a hundred, so many have to be noticed. `typed`: the subject as it stands behind `mfano mutants`. */
export function mutantsDocument(report: Told, least: number, typed = report.subject): ReportDocument<Told> {
  const { subject, truthful, mutants, read, interrupted, score } = report
  const of = (wanted: MutantResult['verdict']) => mutants.filter(({ verdict }) => verdict === wanted)
  const judged = counted(of('killed').length + of('survived').length, 'mutant')
  const none = mutants.length === 0 ? 'There was nothing to change.' : 'No mutant was judged that counts.'
  const text = score === null ? none : `${score}% of ${judged} killed.`
  return judgedDocument({
    ...{ by: 'mfano mutants', title: subject, data: report, interrupted, lead: [] },
    ...(truthful.verdict !== 'green' && {
      open: 'It fails with correct answers already, so no mutant was tried.',
    }),
    bad: score !== null && score < least ? text : undefined,
    good: text,
    stories: of('survived').map((one) => ({ title: `${one.field} ${one.change}`, ...survivor(one, typed) })),
    scorecard: scorecardOf(
      marks,
      mutants.map((one) => ({ ...one, name: nameOf(one) })),
    ),
    sections: [
      saidSection(truthful.said),
      { title: 'Survived', points: of('survived').map((one) => survivor(one, typed)), isOpen: true },
      texts('Proven to be read', read.proven),
      texts('Not proven to be read', read.unproven),
    ],
    runs: mutants.map(mutantRun),
  })
}

function survivor({ field, change, text }: MutantResult, typed: string): ReportPoint {
  return { text, command: `mfano mutants --only "${field} ${change}" ${typed}` }
}
