import { counted } from '../../core/model/text.ts'
import type { Mutation } from '../../core/presentation.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../inspect/report-document.ts'
import { judgedDocument, saidSection } from '../subject/report.ts'

/**
 * `killed`: the suite turned red. `survived`: it stayed green.
 * `unjudged`: it could not be run.
 */
export type MutantVerdict = 'killed' | 'survived' | 'unjudged'

export interface MutantResult {
  mutation: Mutation
  field: string
  change: string
  verdict: MutantVerdict
  /** `suite`: it noticed. `asked`: it only asked otherwise. */
  by: string | null
  text: string
  tookMs: number
}

export interface MutantsReport {
  subject: string
  /** The run without any mutant; where it is red, nothing else is run. */
  truthful: { verdict: 'green' | 'red' | 'unjudged'; said: string }
  mutants: MutantResult[]
  score: number | null
  interrupted: boolean
}

/** That nothing reads a field is not said of one that another mutant proved to be read. */
function withReason(one: MutantResult, read: readonly string[]): MutantResult {
  if (one.verdict !== 'survived' || one.by !== null || !read.includes(one.field)) return one
  return { ...one, text: `${one.field} ${one.change}: survived; it is read, and this made no difference` }
}

export function mutantsReport(
  subject: string,
  truthful: MutantsReport['truthful'],
  mutants: MutantResult[],
  interrupted: boolean,
): MutantsReport {
  const judged = mutants.filter(({ verdict }) => verdict === 'killed' || verdict === 'survived')
  const killed = judged.filter(({ verdict }) => verdict === 'killed')
  const read = judged.filter(({ by }) => by !== null).map(({ field }) => field)
  return {
    subject,
    truthful,
    mutants: mutants.map((one) => withReason(one, read)),
    score: judged.length === 0 ? null : Math.floor((killed.length / judged.length) * 100),
    interrupted,
  }
}

const marks = {
  killed: ['good', 'killed'],
  survived: ['bad', 'SURVIVED'],
  unjudged: ['open', 'unjudged'],
} as const

export function mutantRun({ field, change, verdict, tookMs, text }: MutantResult): ReportRun {
  const [mood, word] = marks[verdict]
  return { mood, word, name: `${field} ${change}`, tookMs, why: text }
}

/** `least`: of a hundred, so many have to be noticed. `typed`: the subject as it stands behind `mfano mutants`. */
export function mutantsDocument(
  report: MutantsReport,
  least: number,
  typed = report.subject,
): ReportDocument<MutantsReport> {
  const { subject, truthful, mutants, interrupted, score } = report
  const of = (wanted: MutantResult['verdict']) => mutants.filter(({ verdict }) => verdict === wanted)
  const judged = counted(of('killed').length + of('survived').length, 'mutant')
  const none = mutants.length === 0 ? 'There was nothing to change.' : 'No mutant was judged that counts.'
  const text = score === null ? none : `${score}% of ${judged} killed.`
  return judgedDocument({
    ...{ by: 'mfano mutants', title: subject, data: report, interrupted, lead: [] },
    ...(truthful.verdict !== 'green' && {
      open: `It ${truthful.verdict === 'red' ? 'fails with correct answers already' : 'could not be judged'}, so no mutant was tried.`,
    }),
    bad: score !== null && score < least ? text : undefined,
    good: text,
    sections: [
      saidSection(truthful.said),
      { title: 'Survived', points: of('survived').map((one) => survivor(one, typed)), isOpen: true },
    ],
    runs: mutants.map(mutantRun),
  })
}

function survivor({ field, change, text }: MutantResult, typed: string): ReportPoint {
  return { text, command: `mfano mutants --only "${field} ${change}" ${typed}` }
}
