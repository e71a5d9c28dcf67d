/** Which commit, configuration and version a judge runs with. */
import { execFileSync } from 'node:child_process'
import { createHash, scryptSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packageVersion } from '../../../hosts/node/package.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { merchantFileIn } from '../../../judge/subject.ts'
import type { Arguments } from '../command.ts'
import { BUNDLE_FILES, type Circumstances, type Judge, judges, type Wanted, withoutValues } from './evidence-record.ts'

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
