/**
 * One judge's run as evidence: what came out, of which commit and configuration, and when. It holds names and verdicts
 * only, because what an app or a service said could be a secret.
 */

import { execFileSync } from 'node:child_process'
import { createHash, scryptSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** Files that `mfano evidence` writes beside the records: the bundle for programs, and the page. */
export const BUNDLE_FILES = ['evidence.json', 'index.html'] as const

const moods = z.enum(['good', 'bad', 'open', 'none'])

export const recordSchema = z.strictObject({
  evidence: z.literal(1),
  by: z.enum(judges),
  /** The version of mfano. */
  version: z.string(),
  /** Null for what is about the service, and where no version control was found. */
  commit: z.string().nullable(),
  /** Files of the app, tracked or not, had changes that no commit holds. */
  changed: z.boolean(),
  /** When it ended, in real time. */
  at: z.iso.datetime(),
  /** A digest of what was judged, and how: arguments, and the files that they name. */
  configuration: z.string(),
  options: z.array(z.string()),
  subject: z.string(),
  verdict: z.object({ mood: moods, text: z.string() }),
  lead: z.array(z.string()),
  runs: z.array(z.object({ mood: moods, word: z.string(), name: z.string() })),
})
export type EvidenceRecord = z.output<typeof recordSchema>

type Circumstances = Pick<EvidenceRecord, 'version' | 'commit' | 'changed' | 'at' | 'configuration' | 'options'>

/** `command`: what was judged, where that is a command line. */
export function evidenceRecordOf(
  by: Judge,
  report: ReportDocument,
  under: Circumstances,
  command: readonly string[] = [],
): EvidenceRecord {
  const { title, verdict, lead, runs = [] } = report
  const clean = (text: string) => withoutValues(withoutCommand(text, command))
  return {
    evidence: 1,
    by,
    ...under,
    subject: clean(title),
    verdict: { mood: verdict.mood, text: clean(verdict.text) },
    lead: lead.map(clean),
    runs: runs.map(({ mood, word, name }) => ({ mood, word, name: clean(name) })),
  }
}

/** Leaves of a command line the name of its program: any word behind it can be a password. */
function withoutCommand(text: string, command: readonly string[]): string {
  const line = command.join(' ')
  if (line === '') return text
  const [, program = ''] = /^(?:\s*[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"'])*\s)*\s*(\S+)/.exec(line) ?? []
  const named = program.includes('=') ? '…' : program.split(/[\\/]/).at(-1) || '…'
  return text
    .replaceAll(line, () => (line.trim() === program ? named : `${named} …`))
    .replace(/ -- .*/s, ` -- ${named} …`)
}

/** An option can hold a key: `--env API_KEY=…`, `--token …`, `https://name:password@host`. */
function withoutValues(text: string): string {
  return text
    .replaceAll(/--env '(\w+)=(?:[^']|'\\'')*'/g, '--env $1=***')
    .replace(/^(--env \w+)=.*/s, '$1=***')
    .replaceAll(/\/\/[^\s/@]+@/g, '//***@')
    .replaceAll(/([A-Za-z_]\w*)=(?:"[^"]*"|'[^']*'|\S+)/g, '$1=***')
    .replaceAll(/(--?[\w-]*(?:token|secret|key|password)[\w-]*)[ =]\S+/gi, '$1 ***')
}

const DAY_MS = 86_400_000
const FRESH_DAYS = 30
/** A measurement of the service is good for as long as everywhere else. */
const MEASURED_DAYS = 90

export function expiresAtMs({ by, at }: Pick<EvidenceRecord, 'by' | 'at'>): number {
  return Date.parse(at) + (by === 'calibrate' ? MEASURED_DAYS : FRESH_DAYS) * DAY_MS
}

export interface Wanted {
  version: string
  commit: string | null
  changed: boolean
  nowMs: number
}

/** Why a record says nothing of what is wanted; undefined when it does. */
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

// Which commit, configuration and version a judge runs with.

const DIGEST_BYTES = 32
const OUTPUT_MAX = 2 ** 26
const UNTRACKED = '?? '
const RECORD_FILES = [...BUNDLE_FILES, ...judges.map((judge) => `${judge}.json`)]

/** These say where a report goes, and nothing about the run. */
const FOR_REPORTS = ['evidence', 'junit', 'html', 'markdown', 'json']
/** These name files that the run itself writes. */
const WRITTEN = ['out', 'coverage', 'write-baseline']

export function circumstancesOf(given: Arguments, by: Judge): Circumstances {
  const app = by === 'coverage' ? undefined : merchantFileIn(given.words)
  const { version, commit, changed, nowMs } = present(app && dirname(app), given.all('evidence'))
  const names = given.names.filter((name) => !FOR_REPORTS.includes(name)).toSorted()
  const options = names.flatMap((name) => given.all(name).map((value) => [name, value] as const))
  const read = [
    ...given.words.filter(isFile),
    ...options.flatMap(([name, value]) => (WRITTEN.includes(name) ? [] : value)),
  ]
  const configuration = JSON.stringify([version, given.words, options, read.flatMap(filesIn).map(digestOf)])
  return {
    version,
    commit,
    changed,
    at: new Date(nowMs).toISOString(),
    // Slow on purpose: an option or a command line can hold a password.
    configuration: scryptSync(configuration, 'mfano evidence', DIGEST_BYTES).toString('hex'),
    options: options.map(([name, value]) => withoutValues(`--${name} ${value}`.trim())),
  }
}

/**
 * The commit of a folder, which evidence has to be of. Every file in it counts that git does not ignore, other than the
 * records in the folders of evidence.
 */
export function present(folder = '.', evidence: readonly string[] = []): Wanted {
  const env = process.env
  const commit = git(folder, 'rev-parse', 'HEAD')
  return {
    version: packageVersion(),
    commit: commit ?? (env['GITHUB_SHA'] || env['CI_COMMIT_SHA'] || null),
    changed: commit !== undefined && isChanged(folder, evidence),
    nowMs: wallNowMs(),
  }
}

function isChanged(folder: string, evidence: readonly string[]): boolean {
  const status = git(folder, 'status', '--porcelain', '-z', '--untracked-files=all', '--', '.')
  if (status === undefined) return true
  const top = git(folder, 'rev-parse', '--show-toplevel') ?? ''
  const records = new Set(evidence.filter(existsSync).flatMap(recordsIn))
  // A record is no part of the app, as long as it is in no commit.
  const isRecord = (entry: string) =>
    entry.startsWith(UNTRACKED) && records.has(join(top, entry.slice(UNTRACKED.length)))
  return status.split('\0').some((entry) => entry !== '' && !isRecord(entry))
}

/** Accepts a folder of evidence, or one file. */
function recordsIn(path: string): string[] {
  const real = realpathSync(path)
  return isFile(real) ? [real] : RECORD_FILES.map((name) => join(real, name))
}

/** For a folder: the files directly in it. */
function filesIn(path: string): Buffer[] {
  if (!existsSync(path)) return []
  if (isFile(path)) return [readFileSync(path)]
  return readdirSync(path)
    .toSorted()
    .map((name) => join(path, name))
    .filter(isFile)
    .map((file) => readFileSync(file))
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
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

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}

// Keeps the run of a judge, in the folder that `--evidence` names.

export const evidenceFlag: Flag = {
  name: 'evidence',
  value: 'folder',
  help: 'Save the verdict for mfano evidence.',
  names: 'files',
}

export function keepEvidence(given: Arguments, report: ReportDocument): void {
  const folder = given.get('evidence')
  const by = judges.find((one) => report.by === `mfano ${one}`)
  if (folder === undefined || by === undefined) return
  const isCommand = by !== 'coverage' && merchantFileIn(given.words) === undefined
  const command = isCommand ? given.words : []
  writeRecord(folder, evidenceRecordOf(by, report, circumstancesOf(given, by), command))
}

export function writeRecord(folder: string, record: EvidenceRecord): void {
  writing(folder, () => makeFolder(folder))
  writeNamed(join(folder, `${record.by}.json`), `${JSON.stringify(record, null, 2)}\n`)
}
