/** What is printed of a run of mutants: the score, who survived, and a test case for each. */
import { counted } from '../../core/model/counted.ts'
import {
  type ReportCase,
  type ReportDocument,
  type ReportSection,
  type ReportStep,
  stepSection,
} from '../../core/model/report-document.ts'
import { INTERRUPTED } from '../subject/subject-of.ts'
import type { MutantResult, MutantsReport } from './mutants-report.ts'

const marks = {
  killed: ['good', 'killed'],
  survived: ['bad', 'SURVIVED'],
  equivalent: ['none', 'the same'],
  unjudged: ['open', 'unjudged'],
} as const

/** A mutant that has ended. */
export function mutantStep({ field, change, verdict, tookMs }: MutantResult): ReportStep {
  const [mood, word] = marks[verdict]
  return { mood, word, name: `${field} ${change}`, tookMs }
}

type Told = Omit<MutantsReport, 'coverage'>

/** `least`: of a hundred, so many have to be noticed. */
export function mutantsDocument(report: Told, least: number): ReportDocument<Told> {
  const { subject, truthful, mutants, read, misjudged, interrupted } = report
  const list = (name: string, title: string, texts: readonly string[]): ReportSection => {
    return { name, title, points: texts.map((text) => ({ text })) }
  }
  const of = (wanted: MutantResult['verdict']) =>
    mutants.filter(({ verdict }) => verdict === wanted).map(({ text }) => text)
  return {
    by: 'mfano mutants',
    title: subject,
    verdict: verdictOf(report, least),
    lead: interrupted ? [INTERRUPTED] : [],
    shares: Object.entries(marks).map(([verdict, [mood, what]]) => {
      return { mood, what, number: mutants.filter((one) => one.verdict === verdict).length }
    }),
    sections: [
      list('said', 'The last that was said', truthful.said === '' ? [] : truthful.said.split('\n')),
      { ...list('survived', 'Survived', of('survived')), isOpen: true },
      list('equivalent', 'Equivalent', of('equivalent')),
      list('misjudged', 'Listed as equivalent, and noticed all the same', misjudged),
      list('unjudged', 'Not judged', of('unjudged')),
      list('read', 'Proven to be read', read.proven),
      list('unread', 'Not proven to be read', read.unproven),
      stepSection('mutants', 'Mutants', mutants.map(mutantStep)),
    ],
    suites: [{ name: `mfano mutants: ${subject}`, classname: subject, cases: mutants.map(caseOf) }],
    data: report,
  }
}

function verdictOf({ truthful, mutants, score, interrupted }: Told, least: number): ReportDocument['verdict'] {
  if (truthful.verdict !== 'green')
    return { mood: 'open', text: 'It is not green when it is told the truth, so nothing is known of anything else.' }
  const judged = mutants.filter(({ verdict }) => verdict === 'killed' || verdict === 'survived').length
  const text =
    score === null
      ? mutants.length === 0
        ? 'There was nothing to change.'
        : 'No mutant was judged that counts.'
      : `${score}% of ${counted(judged, 'mutant')} killed.`
  if (score !== null && score < least) return { mood: 'bad', text }
  const isOpen = interrupted || mutants.some(({ verdict }) => verdict === 'unjudged')
  return { mood: isOpen ? 'open' : 'good', text }
}

function caseOf({ field, change, verdict, text, tookMs }: MutantResult): ReportCase {
  return {
    name: `${field} ${change}`,
    tookMs,
    ...(verdict === 'survived' && { failures: [{ type: 'survived', message: text }] }),
    ...(verdict === 'equivalent' && { skipped: text }),
    ...(verdict === 'unjudged' && { error: { message: 'could not be judged', text } }),
  }
}
