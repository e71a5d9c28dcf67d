/** A finding of a search as a story: what was chosen, what happened, and what shows it again. */
import { moneyAtRisk, moneyOf } from '../../core/model/money-at-risk.ts'
import type { ReportDocument, ReportStory } from '../../core/model/report-document.ts'
import { shortened } from '../../core/model/sequence.ts'
import type { ExploreFinding } from './explorer.ts'
import { sequenceOf, storyOf } from './tell.ts'

/** As many as are seen at once; the finding's own page has all. */
const STEPS_MAX = 14

export function findingStory(finding: ExploreFinding, command: string): ReportStory {
  const { code, text, choices, ran } = finding
  return {
    title: code,
    text,
    command,
    money: moneyOf(finding),
    more: storyOf(choices).map((one) => ({ text: one })),
    sequence: shortened(sequenceOf(ran.happened), STEPS_MAX),
  }
}

/** A page about one finding. */
export function findingDocument(finding: ExploreFinding, merchant: string, command: string): ReportDocument<null> {
  const atRisk = moneyAtRisk([finding])
  return {
    by: 'mfano explore',
    title: `${finding.code} in ${merchant}`,
    verdict: { mood: 'bad', text: finding.text },
    lead: [],
    ...(atRisk && { atRisk }),
    stories: [
      {
        ...{ title: finding.code, text: storyOf(finding.choices).join('; '), command },
        sequence: sequenceOf(finding.ran.happened),
      },
    ],
    sections: [{ title: 'The requests about it', points: [{ text: 'In their order', exact: finding.requests }] }],
    data: null,
  }
}
