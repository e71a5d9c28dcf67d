/** What every hostile text is held to: a scenario or problems that have a place, and soon. */
import { expect } from 'vitest'
import { loadedLibraries } from '../../src/scenarios/language/loaded-libraries.ts'
import { type Problem, ScenarioError } from '../../src/scenarios/language/problems.ts'
import { type LoadOptions, loadScenario } from '../../src/scenarios/load.ts'
import { paymentsService } from '../../src/service/service.ts'
import { shippedNames, shippedText } from './support.ts'

const base = 'name: base\ndescription: A base.\nextends: none\n'
const options: LoadOptions = {
  file: 'hostile.yaml',
  read: () => ({ file: 'base.yaml', text: base }),
  service: paymentsService,
  libraries: loadedLibraries,
  known: shippedNames,
}

const SOON_MS = 1_000
/** As often as the default scenario could be read in that time on the machine where the bound was set. */
const SOON_TIMES = 75

/** What this thread has worked, of which Node 22 does not know: there, what the process has. */
const cpuUsage = (process.threadCpuUsage ?? process.cpuUsage).bind(process)

/** Counted by the work of this thread alone, since the machine may be busy with something else. */
function timed(text: string) {
  const before = cpuUsage()
  const problems = problemsAndWarnings(text)
  const { user, system } = cpuUsage(before)
  return { problems, tookMs: (user + system) / 1000 }
}

/** What an ordinary text takes on this machine. */
function usualMs(): number {
  const text = shippedText('default')
  return Math.min(...Array.from({ length: 5 }, () => timed(text).tookMs))
}

/** Whatever is said of it; what can be used is looked at for what comes to nothing, too. */
function problemsAndWarnings(text: string): readonly Problem[] {
  try {
    return loadScenario(text, options).warnings()
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

/** Lints a text; fails when that takes out of all proportion, or says what has no place. */
export function lintSoon(text: string): void {
  const { problems, tookMs } = timed(text)
  // What is compiled or collected on the way is not the text's: once more says whether it was.
  if (tookMs >= SOON_MS) expect(timed(text).tookMs / usualMs()).toBeLessThan(SOON_TIMES)
  const lines = text.split('\n')
  for (const { line, column, message } of problems) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(message.length).toBeLessThan(3000)
  }
}

/** A megabyte of a part, which is as much as is read. */
export const megabyte = (part: string): string => part.repeat(Math.floor(999_000 / part.length))
