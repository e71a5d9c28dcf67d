/** The receipt of a proof: what was red, what is green, and to which files and commits that is bound. */
import { counted } from '../../core/model/text.ts'
import type { MarkedCell, ReportDocument, ReportRun } from '../../inspect/report-document.ts'
import { type Proof, type ProvedSchedule, reasonRecords } from './prove.ts'
import { LEFT_OUT, type Trees } from './trees.ts'

export type Receipt = ReturnType<typeof receiptOf>

export interface Bound {
  trees: Pick<Trees, 'before' | 'now'>
  version: string
  seed: number
  at: string
}

const marks = {
  red: { mood: 'bad', word: 'red' },
  green: { mood: 'good', word: 'green' },
  unstable: { mood: 'open', word: 'red in some runs' },
  unjudged: { mood: 'open', word: 'not judged' },
  'not-reached': { mood: 'open', word: 'not reached' },
  'not-run': { mood: 'none', word: 'not run' },
} as const satisfies Record<string, MarkedCell>
const SHORT = 10

export function scheduleRun({ code, name, now }: ProvedSchedule): ReportRun {
  return { ...marks[now], name: `${code}: ${name}` }
}

function verdictOf({ reasons, schedules, interrupted }: Proof): 'proved' | 'refused' | 'unjudged' {
  if (reasons.some(({ code }) => reasonRecords[code].mood === 'bad')) return 'refused'
  return reasons.length > 0 || interrupted || schedules.length === 0 ? 'unjudged' : 'proved'
}

const verdictMarks = {
  proved: { mood: 'good', word: 'Proved' },
  refused: { mood: 'bad', word: 'Refused' },
  unjudged: { mood: 'open', word: 'Not judged' },
} as const

function receiptOf(proof: Proof, { trees, version, seed, at }: Bound) {
  const { before, now } = trees
  return {
    receipt: 1 as const,
    verdict: verdictOf(proof),
    ...proof,
    before: { ref: before.ref, commit: before.commit },
    now: { commit: now.commit, changed: now.isChanged, digest: now.digest, leftOut: LEFT_OUT },
    ...{ version, seed, at },
  }
}

export function proveDocument(proof: Proof, bound: Bound): ReportDocument<Receipt> {
  const { merchant, reasons, schedules, neighbours, searched } = proof
  const receipt = receiptOf(proof, bound)
  const { before, now } = receipt
  const shortCommit = (tree: { commit: string }) => tree.commit.slice(0, SHORT)
  return {
    ...{ by: 'mfano prove', title: merchant, data: receipt },
    verdict: { ...verdictMarks[receipt.verdict], text: textOf(receipt) },
    lead: [
      `Before: ${shortCommit(before)} (${before.ref}). Now: ${shortCommit(now)}${now.changed ? ' with changes that no commit holds' : ''}.`,
      ...(searched ? [`Before, ${searched.tried} of ${counted(searched.of, 'single choice')} tried.`] : []),
    ],
    sections: [
      {
        title: 'Why',
        points: reasons.map(({ code, text }) => ({
          text,
          more: [{ text: `What to do: ${reasonRecords[code].todo}` }],
        })),
        isOpen: true,
      },
      {
        title: 'Schedules',
        columns: ['before', 'now', 'finding', 'schedule'],
        rows: schedules.map((one) => [marks[one.before], marks[one.now], one.code, one.story.join('; ')]),
        isOpen: true,
      },
      { title: 'The finding', points: schedules.map(({ code, text }) => ({ text: `${code}: ${text}` })) },
      {
        title: 'Beside it',
        points: [
          { text: besideText(neighbours) },
          ...neighbours.known.map((text) => ({ text: `Red, as it was before: ${text}.` })),
        ],
      },
      {
        title: 'Bound to',
        columns: ['what', 'which'],
        rows: [
          ['commit before', before.commit],
          ['commit now', `${now.commit}${now.changed ? ', with changes' : ''}`],
          ['files of the app now, SHA-256', now.digest],
          ['not in it', now.leftOut.join(', ')],
          ['mfano', receipt.version],
          ['seed', String(receipt.seed)],
        ],
      },
    ],
    runs: schedules.map(scheduleRun),
  }
}

function textOf({ verdict, schedules, reasons, interrupted }: Receipt): string {
  const codes = [...new Set(schedules.map(({ code }) => code))].join(', ')
  if (verdict === 'proved') return `${codes}: red before, and green now under ${counted(schedules.length, 'schedule')}.`
  if (interrupted) return 'It was interrupted.'
  return reasons[0]?.text ?? 'Nothing was run.'
}

function besideText({ tried, red }: Proof['neighbours']): string {
  if (tried === 0) return 'Nothing was tried: the schedules decided.'
  const choices = counted(tried - 1, 'single choice')
  return `The ordinary day and ${choices} about the same payments were run now. ${red.length === 0 ? 'Nothing is newly red.' : `${red.length} newly red.`}`
}
