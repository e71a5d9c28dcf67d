/** The report of a run of mutants: the score, and the survivors. */
import { counted } from '../../core/model/counted.ts'
import { keysIn } from '../../core/model/must.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../core/model/report-document.ts'
import { judgedDocument, texts } from '../subject/judged-document.ts'
import type { MutantResult, MutantsReport } from './mutants-report.ts'

const marks = {
  killed: ['good', 'killed'],
  survived: ['bad', 'SURVIVED'],
  equivalent: ['none', 'the same'],
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
  const { subject, truthful, mutants, read, misjudged, interrupted, score } = report
  const of = (wanted: MutantResult['verdict']) => mutants.filter(({ verdict }) => verdict === wanted)
  const said = (verdict: MutantResult['verdict']) => of(verdict).map(({ text }) => text)
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
    scorecard: {
      title: 'Scorecard',
      columns: ['verdict', 'mutants'],
      rows: keysIn(marks).flatMap((verdict) => {
        const [mood, word] = marks[verdict]
        const { length } = of(verdict)
        return length === 0 ? [] : [[{ mood, word }, length]]
      }),
    },
    sections: [
      texts('The last that was said', truthful.said === '' ? [] : truthful.said.split('\n')),
      { title: 'Survived', points: of('survived').map((one) => survivor(one, typed)), isOpen: true },
      texts('Equivalent', said('equivalent')),
      texts('Listed as equivalent, and noticed all the same', misjudged),
      texts('Proven to be read', read.proven),
      texts('Not proven to be read', read.unproven),
    ],
    runs: mutants.map(mutantRun),
  })
}

function survivor({ field, change, text }: MutantResult, typed: string): ReportPoint {
  return { text, command: `mfano mutants --only "${field} ${change}" ${typed}` }
}
