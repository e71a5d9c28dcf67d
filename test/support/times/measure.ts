/** In each worker, where times are asked for: what each test and each file cost the processor. */
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, type TestContext } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time in milliseconds, this process's and that of the children that ended. */
    cpuMs?: number
  }
}

/** A tick of `/proc` in milliseconds; Linux has it so for all programs. */
const TICK_MS = 10

/** What this process and its ended children have used so far. Children count where there is a `/proc`. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + childrenMs()
}

function childrenMs(): number {
  try {
    // Behind the name, which may hold anything: fields 16 and 17, of which the third is the first here.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[13]) + Number(fields[14])) * TICK_MS
  } catch {
    return 0
  }
}

// A process that runs one file has spent on its own start, too; one that runs several has not.
const state = process as { mfanoMeasuredMs?: number }
const fileStart = state.mfanoMeasuredMs ?? 0
let testStart = 0

beforeEach(() => {
  testStart = cpuMs()
})
afterEach(({ task }: TestContext) => {
  task.meta.cpuMs = cpuMs() - testStart
})
// The first that is registered is the last that is run.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads which fixtures a hook wants
afterAll(({}, { meta }) => {
  state.mfanoMeasuredMs = cpuMs()
  meta.cpuMs = state.mfanoMeasuredMs - fileStart
})
