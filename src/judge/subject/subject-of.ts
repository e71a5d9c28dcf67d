/** Chooses what a judge runs: an app by its merchant file, or a suite by its command. */

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Control } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { fill, type Merchant, type Placeholder, readMerchantFile } from '../app/merchant-file.ts'
import { ownFolder } from '../app/own-folder.ts'
import { endGroup, startGroup } from '../app/process-activity.ts'
import { BooksUnreadable, fetchBooks } from '../fetch-books.ts'
import { merchantFileIn, type Patience, SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../subject.ts'
import { judgeBooks, type SubjectOutcome, type SubjectWorld } from './outcome.ts'
import { withWorldsBelow } from './own-worlds.ts'

export interface Subject {
  name: string
  command: string
  merchant?: Merchant
  patience: Patience
  suite: Suite
  jobs: number
}

export function judgedSubject(options: SubjectOptions, suitesPerCpu = SUITES_PER_CPU): Subject {
  const { words, env, books, readyWithinMs, restWithinMs } = options
  const patience = { readyWithinMs, restWithinMs }
  const suite = { command: words, env, books }
  const jobs = (perCpu: number) => options.jobs ?? perCpu * availableParallelism()
  const file = merchantFileIn(words)
  if (file !== undefined) {
    const merchant = readMerchantFile(file)
    return { name: merchant.name, command: file, merchant, patience, suite, jobs: jobs(WORLDS_PER_CPU) }
  }
  const name = words.join(' ')
  return { name, command: `-- ${name}`, patience, suite, jobs: jobs(suitesPerCpu) }
}

/** The end of a run: of an app by its findings, of a suite by its exit code. */
export interface SubjectEnd {
  verdict: 'green' | 'red' | 'unjudged'
  said: string
  isLate?: true
  /** Of an app. */
  outcome?: SubjectOutcome
}

/**
 * Green if the exit code is 0. A suite that does not end is red, because it may wait for something that never comes.
 */
export async function endOfSuite(
  { suite, env = {} }: { suite: Suite; env?: Record<string, string> },
  world: SubjectWorld,
  withinMs: number,
): Promise<SubjectEnd> {
  const late = AbortSignal.timeout(withinMs)
  const signal = AbortSignal.any([world.signal, late])
  try {
    const { failure, exitCode, said } = await startSuite(
      { ...suite, env: { ...suite.env, ...env } },
      { ...world, signal },
    )
    if (failure !== undefined) return { verdict: 'unjudged', said: failure }
    return { verdict: exitCode === 0 ? 'green' : 'red', said }
  } catch (error) {
    if (world.signal.aborted || !late.aborted) throw error
    return { verdict: 'red', said: `It did not end within ${withinMs / 1000} s.`, isLate: true }
  }
}

// Runs a test suite in one world, and judges what it left there.

interface Suite {
  command: readonly string[]
  /** Added to the usual variables. Placeholders are filled. */
  env: Readonly<Record<string, string>>
  books: string | undefined
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

/** A run without books and requests tested nothing, so it is not a success. */
export const ASKED_NOTHING =
  'It asked its world nothing. Does its app read PAYMENTS_BASE_URL, PAYMENTS_KEY and PAYMENTS_SECRET? For other names: --env MY_URL={baseUrl}'

const notRun: Readonly<Record<number, string>> = { 126: 'it is no program', 127: 'there is no such program' }

export interface ProcessEnd {
  failure?: string
  /** Null if a signal ended it. */
  exitCode: number | null
  said: string
}

/** The exit code is no verdict, because a test that rightly detects a failure is red. */
export async function runSuite(suite: Suite, world: SubjectWorld): Promise<SubjectOutcome> {
  const { control } = world
  const { failure } = await startSuite(suite, world)
  if (failure !== undefined) return { findings: [], warnings: [], unjudged: failure }
  if (await isUnasked(control)) return { findings: [], warnings: [], unjudged: ASKED_NOTHING }
  const all = await withWorldsBelow(control)
  await Promise.all(all.map((one) => one('POST', '/clock/settle', { body: {} })))
  try {
    const books = suite.books === undefined ? undefined : await fetchBooks(suite.books)
    const judged = await Promise.all(
      all.map((one) => judgeBooks({ ...world, control: one }, one === control ? books : undefined)),
    )
    const unjudged = judged.find((one) => one.unjudged !== undefined)?.unjudged
    return {
      findings: judged.flatMap(({ findings }) => findings),
      warnings: judged.flatMap(({ warnings }) => warnings),
      asked: judged.flatMap(({ asked = [] }) => asked),
      ...(unjudged !== undefined && { unjudged }),
    }
  } catch (error) {
    if (error instanceof BooksUnreadable) return { findings: [], warnings: [], unjudged: error.message }
    throw error
  }
}

export async function isUnasked(control: Control): Promise<boolean> {
  const all = await Promise.all((await withWorldsBelow(control)).map((one) => one('GET', '/requests/open')))
  return all.every(({ begun }) => begun === 0)
}

/** Kills everything the suite left running. Throws if it is aborted. */
async function startSuite(
  suite: Pick<Suite, 'command' | 'env'>,
  { signal, baseUrl, credentials, env }: SubjectWorld,
): Promise<ProcessEnd> {
  const values: Partial<Record<Placeholder, string>> = { baseUrl, ...credentials }
  const folder = ownFolder('suite')
  const file = join(folder.path, 'said')
  const output = openSync(file, 'w+')
  try {
    const ended = await run(suite.command, {
      env: fill({ ...usual, ...env, ...suite.env }, values),
      output,
      signal,
    })
    signal.throwIfAborted()
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
): Promise<Omit<ProcessEnd, 'said'>> {
  return new Promise((resolve) => {
    const child = startGroup(command.length === 1 ? must(command[0]) : command, {
      env: { ...process.env, ...env },
      stdio: ['ignore', output, output],
    })
    const stop = () => endGroup(child.pid)
    signal.addEventListener('abort', stop)
    const ended = (how: Omit<ProcessEnd, 'said'>) => {
      signal.removeEventListener('abort', stop)
      // Whatever it left running ends with it.
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
