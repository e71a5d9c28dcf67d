/** Chooses what a judge runs: an app by its merchant file, or a suite by its command. */
import { availableParallelism } from 'node:os'
import { type Merchant, readMerchantFile } from '../app/merchant-file.ts'
import { merchantFileIn, SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../subject.ts'
import type { SubjectWorld } from './outcome.ts'
import type { Patience } from './run-merchant.ts'
import { type Suite, startSuite } from './run-suite.ts'

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

export interface SuiteEnd {
  verdict: 'green' | 'red' | 'unjudged'
  said: string
  isLate?: true
}

/**
 * Green if the exit code is 0. A suite that does not end is red, because it may wait for something that never comes.
 */
export async function endOfSuite(
  { suite, env = {} }: { suite: Suite; env?: Record<string, string> },
  world: Pick<SubjectWorld, 'signal' | 'baseUrl' | 'credentials'>,
  withinMs: number,
): Promise<SuiteEnd> {
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
