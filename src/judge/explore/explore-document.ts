/** What is printed of a search: findings with the choices that lead to them, and what became of earlier ones. */
import { counted } from '../../core/model/counted.ts'
import {
  pointLines,
  type ReportCase,
  type ReportDocument,
  type ReportPoint,
  type ReportSection,
} from '../../core/model/report-document.ts'
import { INTERRUPTED } from '../subject/subject-of.ts'
import type { Explored, ExploreFinding, Replayed } from './explorer.ts'
import type { Written } from './finding-files.ts'
import { sequenceOf, storyOf } from './tell.ts'

/** What programs read of a search. */
export type ExploreReport = ReturnType<typeof reportOf>
type Files = readonly (Written | undefined)[]

const verdictWords = { back: 'is back', gone: 'is gone', unjudged: 'could not be judged' } as const

/** An earlier finding that was tried again. */
export function replayedPoint({ name, code, verdict }: Replayed): ReportPoint {
  return { text: `${name}: ${code} ${verdictWords[verdict]}` }
}

export function findingPoint({ code, text, choices, requests }: ExploreFinding): ReportPoint {
  return {
    text: `${code} with ${counted(choices.length, 'choice')}`,
    more: [
      { text },
      ...storyOf(choices).map((choice) => ({ text: choice })),
      ...(requests.length > 0 ? [{ text: 'The requests about it:', exact: requests }] : []),
    ],
  }
}

/** `files`: of the findings, and then of those that were not shrunk. */
export function exploreDocument(explored: Explored, files: Files): ReportDocument<ExploreReport> {
  const { merchant, findings, unstable, unshrunk, replayed } = explored
  const list = (name: string, title: string, points: readonly ReportPoint[], isLog = false): ReportSection => {
    return { name, title, points, ...(isLog && { isLog }) }
  }
  const written = [...findings, ...unshrunk].flatMap(({ capsule }, i) => {
    const { page, schedule, scenario, capsule: moved = capsule } = files[i] ?? {}
    return [page, schedule, scenario, moved].filter((file) => file !== undefined)
  })
  const seenOnce = unstable.map(({ code, text }) => ({ text: `${code}: ${text}` }))
  return {
    by: 'mfano explore',
    title: merchant,
    verdict: verdictOf(explored),
    lead: leadOf(explored),
    sections: [
      { ...list('findings', 'Findings', findings.map(findingPoint), true), isOpen: true },
      list('replayed', 'Found earlier', replayed.map(replayedPoint), true),
      list('unshrunk', 'Seen, and interrupted before it was shrunk', unshrunk.map(findingPoint)),
      list('unstable', 'Seen once, and not again under the same schedule', seenOnce),
      list(
        'written',
        'Written',
        written.map((file) => ({ text: file })),
      ),
    ],
    suites: [{ name: `mfano explore: ${merchant}`, classname: merchant, cases: casesOf(explored) }],
    data: reportOf(explored, files),
  }
}

/** Findings say more than a search that did not come to its end. */
function verdictOf({ findings, unjudged, interrupted }: Explored): ReportDocument['verdict'] {
  if (findings.length > 0) return { mood: 'bad', text: `${counted(findings.length, 'finding')}.` }
  if (unjudged !== undefined || interrupted) return { mood: 'open', text: 'Not judged to the end.' }
  return { mood: 'good', text: 'No findings.' }
}

function leadOf({ schedules, tookMs, interrupted, unjudged, resetUnused }: Explored): string[] {
  const { run, distinct, behaviours } = schedules
  return [
    `${counted(run, 'run')} of ${counted(distinct, 'distinct schedule')}, ${counted(behaviours, 'behaviour')}, in ${(tookMs / 1000).toFixed(1)} s.`,
    ...(interrupted ? [INTERRUPTED] : []),
    ...(unjudged === undefined ? [] : [`Not judged: ${unjudged}`]),
    ...(resetUnused === undefined ? [] : [`Its reset is not used: ${resetUnused}.`]),
  ]
}

function casesOf({ findings, replayed, unjudged }: Explored): ReportCase[] {
  const cases: ReportCase[] = [
    ...replayed.map(({ name, code, verdict }) => ({
      name,
      ...(verdict === 'back' && { failures: [{ type: code, message: `${code} is back` }] }),
      ...(verdict === 'unjudged' && { error: { message: 'could not be judged', text: code } }),
    })),
    ...findings.map((one) => ({
      name: findingPoint(one).text,
      failures: [{ type: one.code, message: one.text, text: pointLines(findingPoint(one)).join('\n') }],
    })),
    ...(unjudged === undefined
      ? []
      : [{ name: 'the app can be judged', error: { message: 'could not be judged', text: unjudged } }]),
  ]
  return cases.length > 0 ? cases : [{ name: 'no schedule makes its books wrong' }]
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

function told({ ran, choices, ...finding }: ExploreFinding, written: Written | undefined) {
  return { ...finding, ...written, choices, story: storyOf(choices), sequence: sequenceOf(ran.happened) }
}
