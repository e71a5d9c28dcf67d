/** Bounds on regular expressions, so that no pattern in a scenario can take long on any text. */

const LONGEST_PATTERN = 200
/** Longer texts are not matched: the rule is passed over with an `e` in the trace. */
export const LONGEST_SUBJECT = 256
/** Doublings of work that a pattern may ask for on such a text; three free repetitions and a free start are in. */
const MOST_DOUBLINGS = 32
const DOUBLINGS_PER_REPETITION = 8

/** What is wrong with a pattern; undefined when it is valid and cheap on every text of up to 256 characters. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > LONGEST_PATTERN)
    return `the pattern has ${pattern.length} characters; at most ${LONGEST_PATTERN} are read`
  try {
    new RegExp(pattern, 'u')
  } catch (error) {
    return `the pattern is not a regular expression (${(error as Error).message})`
  }
  if (/\\[1-9]|\\k</.test(pattern)) return 'the pattern refers back to a group, which can take for ever'
  if (/\(\?(?:[=!]|<[=!])/.test(pattern)) return 'the pattern looks ahead or behind, which can take for ever'
  return tooMuchWork(pattern)
}

/** Walks over the pattern once; a group that repeats must hold nothing that repeats or chooses. */
function tooMuchWork(pattern: string): string | undefined {
  let doublings = pattern.startsWith('^') ? 0 : DOUBLINGS_PER_REPETITION
  const groups: { choices: boolean }[] = []
  let closed: { choices: boolean } | undefined
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]
    const justClosed = closed
    closed = undefined
    if (character === '\\') i++
    else if (character === '[') i = endOfClass(pattern, i)
    else if (character === '(') {
      groups.push({ choices: false })
      const opening = /^\(\?(?::|<[^>]+>|[a-z-]+:)/.exec(pattern.slice(i))
      if (opening) i += opening[0].length - 1
    } else if (character === ')') closed = groups.pop()
    else if (character === '|') {
      doublings++
      for (const group of groups) group.choices = true
    } else {
      const repetition = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(i))
      if (!repetition) continue
      const cost = repetitionCost(repetition)
      if (justClosed?.choices && !repetition[0].startsWith('?')) {
        return `the pattern repeats a group that itself repeats or chooses ("${repetition[0]}" at ${i + 1}), which can take for ever. Write the repetition out`
      }
      doublings += cost
      if (cost > 0) for (const group of groups) group.choices = true
      i += repetition[0].length - 1
    }
    // What an inner group holds, its outer groups hold too.
    if (closed?.choices) for (const group of groups) group.choices = true
  }
  if (doublings <= MOST_DOUBLINGS) return undefined
  return 'the pattern has too many repetitions (* + ? {n,m}) and choices (|). Begin it with ^, or split it into two conditions'
}

function repetitionCost(repetition: RegExpExecArray): number {
  const [whole, least, comma, most] = repetition
  if (whole.startsWith('?')) return 1
  if (least === undefined || (comma && !most)) return DOUBLINGS_PER_REPETITION
  return comma ? Math.min(DOUBLINGS_PER_REPETITION, Math.ceil(Math.log2(Number(most) - Number(least) + 1))) : 0
}

function endOfClass(pattern: string, start: number): number {
  let i = start + 1
  while (i < pattern.length && pattern[i] !== ']') i += pattern[i] === '\\' ? 2 : 1
  return i
}
