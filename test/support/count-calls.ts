/** How much was worked, in calls of functions: as many on every machine, however busy it is. */
import { type Profiler, Session } from 'node:inspector'

const session = new Session()
session.connect()

/**
 * Calls of functions in what is worked at once, of libraries too; loops within a function and what the runtime itself
 * does, such as matching a pattern, are not counted, and only end at the time that a test has. Not inside itself, nor where something else measures coverage.
 */
export function countCalls(work: () => void): number {
  startCounting()
  try {
    work()
    return takeCoverage()
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  } finally {
    session.post('Profiler.stopPreciseCoverage')
    session.post('Profiler.disable')
  }
}

export function startCounting(): void {
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}

/** Calls since counting started, or since this was last asked. */
export function takeCoverage(): Profiler.ScriptCoverage[] {
  let scripts: Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    scripts = taken.result
  })
  return scripts
}
