/** What is printed of a search: findings with the choices that lead to them, and what became of earlier ones. */
import { counted } from '../../core/model/counted.ts'
import { pointLines, type ReportDocument, type ReportPoint, type ReportRun } from '../../core/model/report-document.ts'
import { judgedDocument, texts } from '../subject/judged-document.ts'
import type { Explored, ExploreFinding, Replayed } from './explorer.ts'
import type { WrittenFinding } from './finding-files.ts'
import { sequenceOf, storyOf } from './tell.ts'

/** What programs read of a search. */
export type ExploreReport = ReturnType<typeof reportOf>
type Files = readonly (WrittenFinding | undefined)[]

/** An earlier finding that could not be judged again leaves the verdict to the search itself. */
const marks = { back: ['bad', 'is back'], gone: ['good', 'is gone'], unjudged: ['none', 'not judged'] } as const

/** An earlier finding that was tried again. */
export function replayedRun({ name, code, verdict }: Replayed): ReportRun {
  const [mood, word] = marks[verdict]
  return { mood, word, name: `${name}: ${code}` }
}

export function findingPoint({ code, text, choices, requests }: ExploreFinding): ReportPoint {
  const asked = requests.length > 0 ? [{ text: 'The requests about it:', exact: requests }] : []
  const more = [text, ...storyOf(choices)].map((one) => ({ text: one }))
  return { text: `${code} with ${counted(choices.length, 'choice')}`, more: [...more, ...asked] }
}

/** `files`: of the findings, and then of those that were not shrunk. */
export function exploreDocument(explored: Explored, files: Files): ReportDocument<ExploreReport> {
  const { merchant, findings, unstable, unshrunk, replayed, unjudged, resetUnused, interrupted } = explored
  const { run, distinct, behaviours } = explored.schedules
  const written = [...findings, ...unshrunk].flatMap(({ capsule }, i) => {
    const { page, schedule, scenario, capsule: moved = capsule } = files[i] ?? {}
    return [page, schedule, scenario, moved].filter((file) => file !== undefined)
  })
  const searched = `${counted(run, 'run')} of ${counted(distinct, 'distinct schedule')}, ${counted(behaviours, 'behaviour')}`
  return judgedDocument({
    ...{ by: 'mfano explore', title: merchant, data: reportOf(explored, files), interrupted },
    bad: findings.length > 0 ? `${counted(findings.length, 'finding')}.` : undefined,
    good: 'No findings.',
    lead: [
      `${searched}, in ${(explored.tookMs / 1000).toFixed(1)} s.`,
      ...(resetUnused === undefined ? [] : [`Its reset is not used: ${resetUnused}.`]),
    ],
    sections: [
      { title: 'Findings', points: findings.map(findingPoint), isOpen: true, isLog: true },
      { title: 'Seen, and interrupted before it was shrunk', points: unshrunk.map(findingPoint) },
      texts(
        'Seen once, and not again under the same schedule',
        unstable.map(({ code, text }) => `${code}: ${text}`),
      ),
      texts('Written', written),
    ],
    runs: [
      { mood: unjudged === undefined ? 'good' : 'open', word: 'searched', name: merchant, why: unjudged ?? searched },
      ...replayed.map(replayedRun),
      ...findings.map(findingRun),
    ],
  })
}

function findingRun(finding: ExploreFinding): ReportRun {
  const { code, text: message } = finding
  const point = findingPoint(finding)
  const failures = [{ type: code, message, text: pointLines(point).join('\n') }]
  return { mood: 'bad', word: 'found', name: point.text, why: message, failures }
}

function reportOf(explored: Explored, files: Files) {
  const { findings, unstable, unshrunk, ...rest } = explored
  return {
    findings: findings.map((one, i) => told(one, files[i])),
    unstable: unstable.map((one) => told(one, undefined)),
    unshrunk: unshrunk.map((one, i) => told(one, files[findings.length + i])),
    ...rest,
  }
}

function told({ ran, choices, ...finding }: ExploreFinding, written: WrittenFinding | undefined) {
  return { ...finding, ...written, choices, story: storyOf(choices), sequence: sequenceOf(ran.happened) }
}
