/** Shared by all judges' reports: the verdict, and what could not be judged. */
import { type AboutMoney, moneyAtRisk } from '../../core/model/money-at-risk.ts'
import type { ReportDocument, ReportSection } from '../../core/model/report-document.ts'

interface Judged<Data>
  extends Pick<ReportDocument<Data>, 'by' | 'title' | 'lead' | 'sections' | 'stories' | 'scorecard' | 'data'> {
  runs: NonNullable<ReportDocument['runs']>
  /** The verdicts: `open` if nothing was judged, `bad` if there are problems, `good` if there are none. */
  open?: string | undefined
  bad: string | undefined
  good: string
  interrupted?: boolean
  /** The findings whose money at risk is summed up. */
  findings?: readonly AboutMoney[]
}

const WORST = 3

export function judgedDocument<Data>(of: Judged<Data>): ReportDocument<Data> {
  const { by, title, runs, data, interrupted, findings = [], stories = [], scorecard } = of
  const atRisk = moneyAtRisk(findings)
  const unjudged = runs.filter(({ mood }) => mood === 'open')
  return {
    ...{ by, title, runs, data, stories: stories.slice(0, WORST) },
    ...(atRisk && { atRisk }),
    ...(scorecard && { scorecard }),
    verdict: verdictOf(of, interrupted === true || unjudged.length > 0),
    lead: [...of.lead, ...(interrupted ? ['It was interrupted: this is what was found so far.'] : [])],
    sections: [
      ...of.sections,
      texts(
        'Not judged',
        unjudged.map(({ name, why = '' }) => `${name}: ${why}`),
      ),
    ],
  }
}

function verdictOf({ open, bad, good }: Judged<unknown>, isOpen: boolean): ReportDocument['verdict'] {
  if (open !== undefined) return { mood: 'open', text: open }
  if (bad !== undefined) return { mood: 'bad', text: bad }
  return isOpen ? { mood: 'open', text: 'Not judged to the end.' } : { mood: 'good', text: good }
}

export function texts(title: string, lines: readonly string[]): ReportSection {
  return { title, points: lines.map((text) => ({ text })) }
}
