/**
 * One judge's run as evidence: what came out, of which commit and configuration, and when. It holds names and verdicts
 * only, because what an app or a service said could be a secret.
 */
import * as z from 'zod'
import type { ReportDocument } from '../../../core/model/report-document.ts'

export const judges = ['calibrate', 'matrix', 'gauntlet', 'explore', 'mutants', 'coverage'] as const
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

export type Circumstances = Pick<EvidenceRecord, 'version' | 'commit' | 'changed' | 'at' | 'configuration' | 'options'>

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
export function withoutValues(text: string): string {
  return text
    .replaceAll(/--env '(\w+)=(?:[^']|'\\'')*'/g, '--env $1=***')
    .replace(/^(--env \w+)=.*/s, '$1=***')
    .replaceAll(/\/\/[^\s/@]+@/g, '//***@')
    .replaceAll(/([A-Za-z_]\w*)=(?:"[^"]*"|'[^']*'|\S+)/g, '$1=***')
    .replaceAll(/(--?[\w-]*(?:token|secret|key|password)[\w-]*)[ =]\S+/gi, '$1 ***')
}

const DAY_MS = 86_400_000
/** Real days. A measurement of the service is good for as long as everywhere else. */
const FRESH_DAYS: Readonly<Record<Judge, number>> = {
  calibrate: 90,
  matrix: 30,
  gauntlet: 30,
  explore: 30,
  mutants: 30,
  coverage: 30,
}

export function expiresAtMs({ by, at }: Pick<EvidenceRecord, 'by' | 'at'>): number {
  return Date.parse(at) + FRESH_DAYS[by] * DAY_MS
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
