/** What every hostile text is held to: a scenario or problems that have a place, and soon. */
import { expect } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { type Problem, ScenarioError } from '../../../src/core/model/problems.ts'
import type { LoadOptions } from '../../../src/core/scenarios/language/chain.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { countCalls } from '../../support/count-calls.ts'
import { shippedNames } from './support.ts'

const base = 'name: base\ndescription: A base.\nextends: none\n'
const options: LoadOptions = {
  file: 'hostile.yaml',
  read: () => ({ file: 'base.yaml', text: base }),
  service: paymentsService,
  libraries: loadedLibraries,
  known: shippedNames,
}

/**
 * Calls of functions, which are as many on every machine: 9 million in the longest text here, 18 million in a property
 * with all its draws. What takes the square of a megabyte would be far beyond.
 */
const MOST_CALLS = 30_000_000

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
  soon(() => lint(text))
}

/** Works, and fails when that takes more than any text may, or many short ones. */
export function soon(work: () => void): void {
  const calls = countCalls(work)
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThan(MOST_CALLS)
}

/** Lints a text; fails when what is said of it has no place. */
export function lint(text: string): void {
  const lines = text.split('\n')
  for (const { line, column, message } of problemsAndWarnings(text)) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(message.length).toBeLessThan(3000)
  }
}

/** A megabyte of a part, which is as much as is read. */
export const megabyte = (part: string): string => part.repeat(Math.floor(999_000 / part.length))
