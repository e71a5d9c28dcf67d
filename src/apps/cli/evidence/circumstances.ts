/** Which commit, configuration and version a judge runs with. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { packageVersion } from '../../../hosts/node/package.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import type { Arguments } from '../command.ts'
import { type Circumstances, type Wanted, withoutValues } from './evidence-record.ts'

/** Flags that change what a judge looks at, or what it lets pass. */
const TELLING = [
  'scenario',
  'scenarios',
  'full',
  'assumption',
  'alone',
  'sample',
  'seed',
  'only',
  'min',
  'fail-on',
  'baseline',
  'equivalent',
  'within',
  'schedules',
  'only-replay',
  'allow-unstable',
  'tls',
]

export function circumstancesOf(given: Arguments): Circumstances {
  const { version, commit, changed, nowMs } = present()
  const options = TELLING.flatMap((name) => given.all(name).map((value) => `--${name} ${value}`.trim()))
  const files = [...given.words, ...TELLING.flatMap((name) => given.all(name))].filter(isFile)
  const configuration = digestOf(
    JSON.stringify([
      version,
      given.words.map(withoutValues),
      options,
      files.map((file) => digestOf(readFileSync(file))),
    ]),
  )
  return { version, commit, changed, at: new Date(nowMs).toISOString(), configuration, options }
}

/** What evidence has to be of. */
export function present(): Wanted {
  const env = process.env
  return {
    version: packageVersion(),
    commit: git('rev-parse', 'HEAD') ?? (env['GITHUB_SHA'] || env['CI_COMMIT_SHA'] || null),
    changed: (git('status', '--porcelain', '--untracked-files=no') ?? '') !== '',
    nowMs: wallNowMs(),
  }
}

export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function git(...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
