/**
 * One judge's run as evidence: what came out, of which commit, and when. It holds names and verdicts only, because what
 * an app or a service said, and the value of an option, could be a secret.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { makeFolder } from '../../../hosts/node/file-access.ts'
import { packageVersion } from '../../../hosts/node/package.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import type { ReportDocument } from '../../../inspect/report-document.ts'
import { merchantFileIn } from '../../../judge/subject.ts'
import type { Arguments, Flag } from '../command.ts'
import { writeNamed, writing } from '../write-file.ts'

export const judges = ['calibrate', 'matrix', 'gauntlet', 'explore', 'prove', 'mutants', 'coverage'] as const
export type Judge = (typeof judges)[number]

export const BUNDLE_FILES = ['evidence.json', 'index.html'] as const
const FILES = [...BUNDLE_FILES, ...judges.map((judge) => `${judge}.json`)]

const moods = z.enum(['good', 'bad', 'open', 'none'])

export const recordSchema = z.strictObject({
  evidence: z.literal(1),
  by: z.enum(judges),
  version: z.string(),
  commit: z.string().nullable(),
  changed: z.boolean(),
  at: z.iso.datetime(),
  options: z.array(z.string()),
  subject: z.string(),
  verdict: z.object({ mood: moods, text: z.string() }),
  runs: z.array(z.object({ mood: moods, word: z.string(), name: z.string() })),
})
export type EvidenceRecord = z.output<typeof recordSchema>

const FOR_REPORTS = ['evidence', 'junit', 'html', 'markdown', 'json', 'out']

export const evidenceFlag: Flag = {
  name: 'evidence',
  value: 'folder',
  help: 'Save the verdict for mfano evidence.',
  names: 'files',
}

export function keepEvidence(given: Arguments, report: ReportDocument): void {
  const folder = given.get('evidence')
  const by = judges.find((one) => report.by === `mfano ${one}`)
  if (folder !== undefined && by !== undefined) writeRecord(folder, evidenceRecordOf(by, report, given))
}

export function evidenceRecordOf(by: Judge, report: ReportDocument, given: Arguments): EvidenceRecord {
  const { title, verdict, runs = [] } = report
  const isSuite = (by === 'matrix' || by === 'mutants') && !merchantFileIn(given.words)
  const app = by === 'coverage' ? undefined : merchantFileIn(given.words)
  const { version, commit, changed, nowMs } = present(app && dirname(app), given.all('evidence'))
  return {
    evidence: 1,
    ...{ by, version, commit, changed, at: new Date(nowMs).toISOString() },
    options: given.names
      .filter((name) => !FOR_REPORTS.includes(name))
      .toSorted()
      .map((name) => `--${name}`),
    subject: isSuite ? programOf(given.words) : title,
    verdict: { mood: verdict.mood, text: verdict.text },
    runs: runs.map(({ mood, word, name }) => ({ mood, word, name })),
  }
}

/** The name of a command's program: any word behind it can be a password, and so can the variables before it. */
function programOf(command: readonly string[]): string {
  const [, program = ''] = /^(?:\s*[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s)*\s*(\S+)/.exec(command.join(' ')) ?? []
  return program.includes('=') ? '…' : `${basename(program)} …`
}

export function writeRecord(folder: string, record: EvidenceRecord): void {
  writing(folder, () => makeFolder(folder))
  writeNamed(join(folder, `${record.by}.json`), `${JSON.stringify(record, null, 2)}\n`)
}

const DAY_MS = 86_400_000
const FRESH_DAYS = 30
/** A measurement of the service is good for as long as everywhere else. */
const MEASURED_DAYS = 90

export function expiresAtMs({ by, at }: Pick<EvidenceRecord, 'by' | 'at'>): number {
  return Date.parse(at) + (by === 'calibrate' ? MEASURED_DAYS : FRESH_DAYS) * DAY_MS
}

export type Wanted = ReturnType<typeof present>

export function whyUnfit(record: EvidenceRecord, wanted: Wanted): string | undefined {
  const { by, version, commit, changed, at } = record
  if (Date.parse(at) > wanted.nowMs + DAY_MS)
    return `it is dated ${calendarDayOf(Date.parse(at))}, which is yet to come`
  if (expiresAtMs(record) < wanted.nowMs) return `it expired on ${calendarDayOf(expiresAtMs(record))}`
  if (by === 'calibrate') return undefined
  if (version !== wanted.version) return `mfano ${version} wrote it, and this is ${wanted.version}`
  if (commit === null) return 'it names no commit: it was run outside of a git repository'
  if (commit !== wanted.commit) return `it is of commit ${short(commit)}, not of ${short(wanted.commit)}`
  if (changed) return 'files had changes that the commit does not hold'
  return undefined
}

export function calendarDayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

export function short(commit: string | null): string {
  return commit?.slice(0, 10) ?? 'no commit'
}

const OUTPUT_MAX = 2 ** 26
const STATUS_LENGTH = 3

export function present(folder = '.', evidence: readonly string[] = []) {
  const env = process.env
  const commit = git(folder, 'rev-parse', 'HEAD')
  return {
    version: packageVersion(),
    commit: commit ?? (env['GITHUB_SHA'] || env['CI_COMMIT_SHA'] || null),
    changed: commit !== undefined && isChanged(folder, evidence),
    nowMs: wallNowMs(),
  }
}

/** Every file counts that git does not ignore. */
function isChanged(folder: string, evidence: readonly string[]): boolean {
  const status = git(folder, 'status', '--porcelain', '-z', '--untracked-files=all', '--', '.')
  const top = git(folder, 'rev-parse', '--show-toplevel')
  if (status === undefined || top === undefined) return true
  const places = evidence.filter((one) => existsSync(one)).map((one) => realpathSync(one))
  const records = places.flatMap((one) => [one, ...FILES.map((name) => join(one, name))])
  const changed = status.split('\0').filter((entry) => entry !== '')
  return changed.some((entry) => !records.includes(join(top, entry.slice(STATUS_LENGTH))))
}

function git(folder: string, ...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: OUTPUT_MAX,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).replace(/\n$/, '')
  } catch {
    return undefined
  }
}
