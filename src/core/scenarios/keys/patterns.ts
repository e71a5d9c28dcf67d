/** Regular expressions from strangers, run by RE2: time grows only with the length of pattern and text. */
import type { RE2JS } from 're2js'
import type { Libraries } from '../../model/kind.ts'

const LONGEST_PATTERN = 200
const LONGEST_SUBJECT = 256
const MOST_WRITTEN_OUT = 1000
/** For all patterns of a condition together: enough for one of the most signs. */
export const LARGEST_PATTERNS = 1000

export class Pattern {
  readonly #regexp: RE2JS

  constructor(regexp: RE2JS) {
    this.#regexp = regexp
  }

  /** How many instructions RE2 may carry out for each character. */
  get size(): number {
    return this.#regexp.programSize()
  }

  test(text: string): boolean {
    if (text.length > LONGEST_SUBJECT)
      throw new RangeError(`matches() reads texts of up to ${LONGEST_SUBJECT} characters`)
    return this.#regexp.test(text)
  }
}

export function readPattern(
  text: string,
  { re2 }: Pick<Libraries, 're2'>,
): { pattern: Pattern; problem?: undefined } | { problem: string; pattern?: undefined } {
  if (text.length > LONGEST_PATTERN)
    return { problem: `the pattern has ${text.length} characters; at most ${LONGEST_PATTERN} are read` }
  if (writtenOut(text) > MOST_WRITTEN_OUT)
    return {
      problem: `the pattern repeats too much: written out, it may have ${MOST_WRITTEN_OUT} signs. Use smaller numbers in {}, or * or +`,
    }
  const { RE2JS, RE2JSSyntaxException } = re2()
  try {
    return { pattern: new Pattern(RE2JS.compile(text)) }
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { problem: explain(text, error) }
    throw error
  }
}

/** An upper bound: each group counts as if everything were inside. */
function writtenOut(pattern: string): number {
  let signs = pattern.length
  let groups = 1
  for (const [, before, least, most] of pattern.matchAll(/(.)\{(\d+),?(\d*)\}/gsu)) {
    const times = Math.max(1, Number(least), Number(most))
    if (before === ')') groups *= times
    else signs += times
  }
  return signs * groups
}

function explain(pattern: string, { message }: Error): string {
  if (/\(\?<?[=!]/.test(pattern))
    return 'the pattern looks ahead or behind, which RE2 does not read. Write two conditions'
  if (/\\[1-9k]/.test(pattern)) return 'the pattern refers back to a group, which RE2 does not read. Write it out'
  return `the pattern is not a regular expression as RE2 reads it (${message.replace('error parsing regexp: ', '')})`
}
