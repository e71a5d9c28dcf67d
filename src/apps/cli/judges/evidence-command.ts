import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { asJson } from '../../../core/model/json.ts'
import { counted } from '../../../core/model/text.ts'
import type { ReportDocument, ReportPoint, ReportRun } from '../../../inspect/report-document.ts'
import { reportForms } from '../../../inspect/report-lists.ts'
import type { Arguments, TopCommand } from '../command.ts'
import { reportFlags } from '../typed-values.ts'
import { jsonFilesAt, writeNamed } from '../write-file.ts'
import {
  BUNDLE_FILES,
  calendarDayOf,
  type EvidenceRecord,
  expiresAtMs,
  type Judge,
  judges,
  present,
  recordSchema,
  short,
  type Wanted,
  whyUnfit,
  writeRecord,
} from './evidence-record.ts'
import { judging } from './judging.ts'

const FOLDER = 'evidence'
const [WHOLE, PAGE] = BUNDLE_FILES

export const evidenceCommand: TopCommand = {
  words: '[FILE|FOLDER…]',
  names: ['files'],
  about:
    'It reads the files that judges wrote with --evidence, and receipts of prove. The bundle is a folder with one HTML page: what was tested, what was not, and when it expires.',
  exits: { 0: 'all is good', 1: 'a judge found something', 2: 'evidence is missing, expired or of another commit' },
  flags: [
    { name: 'out', value: 'folder', help: 'The folder to write.', byDefault: FOLDER, names: 'files' },
    {
      name: 'need',
      value: 'judge',
      help: 'Exit with 2 unless this judge ran. Repeatable.',
      choices: judges,
      many: true,
    },
    ...reportFlags,
  ],
  examples: [
    'mfano gauntlet merchant.yaml --evidence evidence',
    'mfano evidence evidence receipt --need gauntlet --need matrix',
  ],
  run: (given, output) => judging(given, output, () => bundled(given)),
}

async function bundled(given: Arguments): Promise<ReportDocument<EvidenceBundle>> {
  const out = given.get('out') ?? FOLDER
  const from = given.words.length > 0 ? given.words : [out]
  const report = evidenceReport(readEvidence(from), present('.', [...from, out]), neededBy(given))
  for (const record of report.data.records) writeRecord(out, record)
  writeNamed(join(out, PAGE), await reportForms.html[1](report))
  writeNamed(join(out, WHOLE), await reportForms.json[1](report))
  return report
}

function neededBy(given: Arguments): Judge[] {
  return judges.filter((judge) => given.all('need').includes(judge))
}

type EvidenceBundle = ReturnType<typeof evidenceReport>['data']

const shows: Readonly<Record<Judge, string>> = {
  calibrate: 'which alternatives of its assumptions the real service showed at its sandbox',
  matrix: 'whether the app holds under every alternative of what is assumed',
  gauntlet: "whether the app's books are right under every scenario that can make a difference",
  explore: 'whether some order of events makes its books wrong',
  prove: 'that a change mends what was wrong in the commit before',
  mutants: 'whether wrong answers of the service are noticed',
  coverage: 'what of the service was exercised',
}
const marks = { good: 'shown', bad: 'NOT SO', open: 'not judged', none: 'not judged' } as const
const NAMES_MAX = 12

export function evidenceReport(read: readonly Read[], wanted: Wanted, needed: readonly Judge[]) {
  const judged = read.map(({ file, record, why }) => ({ file, record, why: record ? whyUnfit(record, wanted) : why }))
  const leftOut = judged.flatMap(({ file, why }) => (why === undefined ? [] : [{ file, why }]))
  const records = newest(judged.flatMap(({ record, why }) => (record && why === undefined ? [record] : [])))
  const missing = judges.filter((judge) => !records.some(({ by }) => by === judge))
  const verdict = verdictOf({ records, missing, leftOut }, wanted, needed)
  const untilMs = records.length === 0 ? null : Math.min(...records.map(expiresAtMs))
  const { commit, version, nowMs } = wanted
  return {
    by: 'mfano evidence',
    title: `commit ${short(commit)}`,
    verdict,
    lead: [
      `Of commit ${commit ?? '(none)'}, by mfano ${version}, on ${calendarDayOf(nowMs)}.`,
      untilMs === null
        ? 'There is nothing that counts.'
        : `It counts until ${calendarDayOf(untilMs)}, for this commit alone.`,
    ],
    sections: [
      {
        title: 'Runs',
        columns: ['judge', 'result', 'of', 'options', 'on', 'until', 'what it shows'],
        rows: records.map((one) => [
          ...[one.by, one.verdict.text, one.subject, one.options.join(' ')],
          ...[one.at.slice(0, 10), calendarDayOf(expiresAtMs(one)), shows[one.by]],
        ]),
        isOpen: true,
      },
      { title: 'Not shown', points: [...records.flatMap(notShown), ...missing.map(missingPoint)], isOpen: true },
      { title: 'Left out', points: leftOut.map(({ file, why }) => ({ text: `${file}: ${why}.` })), isOpen: true },
    ],
    runs: records.map(runOf),
    data: {
      ...{ commit, version, madeAt: new Date(nowMs).toISOString() },
      expiresAt: untilMs === null ? null : new Date(untilMs).toISOString(),
      ...{ verdict, records, missing, leftOut },
    },
  } satisfies ReportDocument
}

function newest(records: readonly EvidenceRecord[]): EvidenceRecord[] {
  const latest = new Map(records.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).map((one) => [one.by, one]))
  return judges.flatMap((judge) => latest.get(judge) ?? [])
}

function verdictOf(
  { records, missing, leftOut }: Pick<EvidenceBundle, 'records' | 'missing' | 'leftOut'>,
  wanted: Wanted,
  needed: readonly Judge[],
): ReportDocument['verdict'] {
  const judgesWith = (mood: ReportRun['mood']) =>
    records.filter(({ verdict }) => verdict.mood === mood).map(({ by }) => by)
  const bad = judgesWith('bad')
  if (bad.length > 0) return { mood: 'bad', text: `Not ready: ${bad.join(', ')}.` }
  const lacking = needed.filter((judge) => missing.includes(judge))
  if (wanted.changed) return { mood: 'open', text: 'Files have changes that the commit does not hold.' }
  if (records.length === 0) return { mood: 'open', text: 'Nothing is shown.' }
  if (leftOut.length > 0) return { mood: 'open', text: `${counted(leftOut.length, 'document')} left out.` }
  if (lacking.length > 0) return { mood: 'open', text: `Needed, and not there: ${lacking.join(', ')}.` }
  const open = judgesWith('open')
  if (open.length > 0) return { mood: 'open', text: `Not judged to the end: ${open.join(', ')}.` }
  return { mood: 'good', text: `Shown by ${records.map(({ by }) => by).join(', ')}.` }
}

function runOf({ by, verdict: { mood, text } }: EvidenceRecord): ReportRun {
  return {
    ...{ mood, word: marks[mood], name: by, why: text },
    ...(mood === 'bad' && { failures: [{ type: by, message: text }] }),
  }
}

function notShown({ by, runs, verdict }: EvidenceRecord): ReportPoint[] {
  const rest = runs.filter(({ mood }) => mood !== 'good')
  const points = [...Map.groupBy(rest, ({ word }) => word)].map(([word, those]) => {
    const names = those.slice(0, NAMES_MAX).map(({ name }) => name)
    const more = those.length - names.length
    return { text: `${those.length} ${word}: ${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}` }
  })
  const told = verdict.mood === 'good' ? points : [{ text: verdict.text }, ...points]
  return told.length === 0 ? [] : [{ text: by, more: told }]
}

function missingPoint(judge: Judge): ReportPoint {
  return { text: `${judge}: not run. It would show ${shows[judge]}.` }
}

interface Read {
  file: string
  record?: EvidenceRecord
  why?: string
}

export function readEvidence(paths: readonly string[]): Read[] {
  const files = paths.flatMap(jsonFilesAt)
  return files.filter((file) => basename(file) !== WHOLE).map(readOne)
}

/** `mfano prove` writes a receipt only of what is proved. */
const receiptSchema = z.object({
  receipt: z.literal(1),
  verdict: z.literal('proved'),
  merchant: z.string(),
  version: z.string(),
  at: z.iso.datetime(),
  now: z.object({ commit: z.string(), changed: z.boolean() }),
  schedules: z.array(z.object({ code: z.string(), name: z.string() })),
})

const receiptAsRecord = receiptSchema.transform(
  ({ merchant, version, at, now, schedules }): EvidenceRecord => ({
    ...{ evidence: 1, by: 'prove', version, commit: now.commit, changed: now.changed, at, options: [] },
    subject: merchant,
    verdict: { mood: 'good', text: `Proved: ${[...new Set(schedules.map(({ code }) => code))].join(', ')}.` },
    runs: schedules.map(({ code, name }) => ({ mood: 'good', word: 'mended', name: `${code}: ${name}` })),
  }),
)

function readOne(file: string): Read {
  const { data } = z.union([recordSchema, receiptAsRecord]).safeParse(asJson(readFileSync(file, 'utf8')))
  if (data) return { file, record: data }
  return { file, why: 'it names no commit and no date. Run the judge again with --evidence FOLDER' }
}
