/** Whom a judge runs: an app by its merchant file, or somebody's own suite by its command. */
import { availableParallelism } from 'node:os'
import { type Merchant, readMerchantFile } from '../app/merchant-file.ts'
import { SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../subject.ts'
import type { SubjectWorld } from './outcome.ts'
import type { Patience } from './run-merchant.ts'
import { type Suite, startSuite } from './run-suite.ts'

export interface Subject {
  name: string
  /** What is typed behind the name of a command for it. */
  command: string
  /** Undefined for a suite. */
  merchant?: Merchant
  patience: Patience
  suite: Suite
  jobs: number
}

/** Throws where its merchant file cannot be used. */
export function judgedSubject(options: SubjectOptions, suitesPerCpu = SUITES_PER_CPU): Subject {
  const { words, env, books, readyWithinMs, restWithinMs } = options
  const [first = ''] = words
  const patience = { readyWithinMs, restWithinMs }
  const suite = { command: words, env, books }
  const jobs = (perCpu: number) => options.jobs ?? perCpu * availableParallelism()
  if (words.length === 1 && /\.(?:ya?ml|json)$/.test(first)) {
    const merchant = readMerchantFile(first)
    return { name: merchant.name, command: first, merchant, patience, suite, jobs: jobs(WORLDS_PER_CPU) }
  }
  const name = words.join(' ')
  return { name, command: `-- ${name}`, patience, suite, jobs: jobs(suitesPerCpu) }
}

/** How a suite ended. */
export interface SuiteEnd {
  verdict: 'green' | 'red' | 'unjudged'
  said: string
  /** It was ended because it took too long. */
  isLate?: true
}

/** Green where its exit code is 0. One that does not end is red: it may wait for what never comes. */
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
