import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Control } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { fill, type Merchant, type Placeholder, readMerchantFile } from '../app/merchant-file.ts'
import { ownFolder } from '../app/own-folder.ts'
import { endGroup, startGroup } from '../app/process-activity.ts'
import { merchantFileIn, type Patience, SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../subject.ts'
import { SUITE_RED, type SubjectOutcome, type SubjectWorld } from './outcome.ts'
import { withWorldsBelow } from './own-worlds.ts'

export interface Subject extends Patience {
  name: string
  command: string
  merchant?: Merchant
  suite: Suite
  jobs: number
}

export function judgedSubject(options: SubjectOptions): Subject {
  const { words, env, readyWithinMs, restWithinMs } = options
  const patience = { readyWithinMs, restWithinMs }
  const suite = { command: words, env, withinMs: options.suiteWithinMs }
  const jobs = (perCpu: number) => options.jobs ?? perCpu * availableParallelism()
  const file = merchantFileIn(words)
  if (file !== undefined) {
    const merchant = readMerchantFile(file)
    return { name: merchant.name, command: file, merchant, ...patience, suite, jobs: jobs(WORLDS_PER_CPU) }
  }
  const name = words.join(' ')
  return { name, command: `-- ${name}`, ...patience, suite, jobs: jobs(SUITES_PER_CPU) }
}

export interface Suite {
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** Real milliseconds. A suite that takes longer is red, because it may wait for something that never comes. */
  withinMs: number
}

const usual: Readonly<Record<string, string>> = {
  PAYMENTS_BASE_URL: '{baseUrl}',
  PAYMENTS_KEY: '{apiKey}',
  PAYMENTS_API_KEY: '{apiKey}',
  PAYMENTS_SECRET: '{apiSecret}',
  PAYMENTS_API_SECRET: '{apiSecret}',
  PAYMENTS_COMPANY: '{companyId}',
  PAYMENTS_COMPANY_ID: '{companyId}',
}

const TOLD_BYTES = 4_000

/** A run without requests tested nothing, so it is not a success. */
const ASKED_NOTHING =
  'It asked its world nothing. Does its app read PAYMENTS_BASE_URL, PAYMENTS_KEY and PAYMENTS_SECRET? For other names: --env MY_URL={baseUrl}. With a kit: mfanoTest({ url: process.env.PAYMENTS_BASE_URL })'

const notRun: Readonly<Record<number, string>> = { 126: 'it is no program', 127: 'there is no such program' }

interface ProcessEnd {
  failure?: string
  exitCode: number | null
}

export async function runSuite(suite: Suite, world: SubjectWorld): Promise<SubjectOutcome> {
  const none = { findings: [], warnings: [] }
  const { failure, exitCode, said, isLate } = await startSuite(suite, world)
  if (failure !== undefined) return { ...none, unjudged: failure }
  if (!isLate && (await isUnasked(world.control))) return { ...none, unjudged: `${ASKED_NOTHING}\n${said}`.trim() }
  return { ...none, said, findings: exitCode === 0 ? [] : [{ code: SUITE_RED, text: said, requests: [] }] }
}

async function isUnasked(control: Control): Promise<boolean> {
  const all = await Promise.all((await withWorldsBelow(control)).map((one) => one('GET', '/requests/open')))
  return all.every(({ begun }) => begun === 0)
}

/** Kills everything the suite left running. Throws if it is aborted. */
async function startSuite(
  suite: Suite,
  { signal, baseUrl, credentials, env }: SubjectWorld,
): Promise<ProcessEnd & { said: string; isLate?: true }> {
  const { withinMs } = suite
  const late = AbortSignal.timeout(withinMs)
  const values: Partial<Record<Placeholder, string>> = { baseUrl, ...credentials }
  const folder = ownFolder('suite')
  const file = join(folder.path, 'said')
  const output = openSync(file, 'w+')
  try {
    const ended = await run(suite.command, {
      env: fill({ ...usual, ...env, ...suite.env }, values),
      output,
      signal: AbortSignal.any([signal, late]),
    })
    signal.throwIfAborted()
    if (late.aborted) return { exitCode: null, said: `It did not end within ${withinMs / 1000} s.`, isLate: true }
    return { ...ended, said: tailOf(output, statSync(file).size) }
  } finally {
    closeSync(output)
    folder.remove()
  }
}

function tailOf(file: number, size: number): string {
  const tail = Buffer.alloc(Math.min(size, TOLD_BYTES))
  readSync(file, tail, 0, tail.length, size - tail.length)
  return tail.toString('utf8').trim()
}

/** `output` is a file, because a child that outlives the suite could hold a pipe open. */
function run(
  command: readonly string[],
  { env, output, signal }: { env: Record<string, string>; output: number; signal: AbortSignal },
): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const child = startGroup(command.length === 1 ? must(command[0]) : command, {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
    const stop = () => endGroup(child.pid)
    signal.addEventListener('abort', stop)
    const ended = (how: ProcessEnd) => {
      signal.removeEventListener('abort', stop)
      stop()
      resolve(how)
    }
    child.on('error', (error) => ended({ failure: `${command[0]} could not be run: ${error.message}`, exitCode: null }))
    child.on('exit', (exitCode) => {
      const why = exitCode === null ? undefined : notRun[exitCode]
      ended({ ...(why !== undefined && { failure: `${command[0]} could not be run: ${why}.` }), exitCode })
    })
  })
}
