/** Refuses oversized texts by their tokens alone, so that no text takes long to refuse. */
import type { Lexer } from 'yaml'

/** Characters. Scenarios are written by hand, so a larger text is a mistake or an attack. */
const LARGEST_TEXT = 1_000_000
export const LONGEST_LIST = 10_000
const DEEPEST_NESTING = 50
const MOST_TOKENS = 200_000
const MOST_ANCHORS = 200
/** Each wrong escape costs the parser an error with a stack, and a hostile text could have half a million. */
const MOST_WRONG_ESCAPES = 100
const ESCAPE = /\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0abefnrtvN_LP "/\\\t\r\n])?/g

/** The lexer marks documents, scalars and the end with control characters that are not in the text. */
const DOCUMENT = '\u0002'
const SCALAR = '\u001f'
const FLOW_END = '\u0018'

export function boundBroken(text: string, lexer: Lexer): { offset: number; message: string } | undefined {
  if (text.length > LARGEST_TEXT) {
    const message = `The text has ${text.length} characters; a scenario may have ${LARGEST_TEXT}. Split it, or extend another one.`
    return { offset: 0, message }
  }
  const tooDeep = `Nested more than ${DEEPEST_NESTING} levels deep, which no scenario needs. Look for a bracket that is not closed.`
  let offset = 0
  let nesting = 0
  let onThisLine = 0
  let anchors = 0
  let tokens = 0
  let before = ''
  for (const token of lexer.lex(text)) {
    if (token === DOCUMENT || token === SCALAR || token === FLOW_END) {
      before = token
      continue
    }
    const indicator = before === SCALAR ? '' : token
    if (indicator === '[' || indicator === '{') nesting++
    else if (indicator === ']' || indicator === '}') nesting = Math.max(0, nesting - 1)
    // In flow style only brackets nest: a scenario in JSON on one line has hundreds of colons.
    else if (nesting === 0 && (indicator === '-' || indicator === '?' || indicator === ':')) onThisLine++
    else if (indicator[0] === '&' || indicator[0] === '*' || indicator[0] === '!') anchors++
    else if (indicator === '\n' || indicator === '\r\n') onThisLine = 0

    if (nesting > DEEPEST_NESTING || (nesting === 0 && onThisLine > DEEPEST_NESTING))
      return { offset, message: tooDeep }
    if (indicator === ',' && (before === ',' || before === '[' || before === '{')) {
      return { offset, message: 'A comma with nothing before it. Remove it, or write the missing value.' }
    }
    if (anchors > MOST_ANCHORS) {
      return {
        offset,
        message: `More than ${MOST_ANCHORS} anchors (&), aliases (*) and tags (!). Write the values out.`,
      }
    }
    if (indicator[0] === '"' && tooManyWrongEscapes(token)) {
      return {
        offset,
        message:
          'Full of backslashes that begin no escape. Write a backslash in double quotes as \\\\, or use single quotes.',
      }
    }
    if (++tokens > MOST_TOKENS) {
      return { offset, message: `More than ${MOST_TOKENS} words and signs. Split the scenario, or extend another one.` }
    }
    offset += token.length
    if (token.trim() !== '') before = indicator === '' ? 'scalar' : token
  }
  return undefined
}

function tooManyWrongEscapes(quoted: string): boolean {
  let wrong = 0
  for (const [, known] of quoted.matchAll(ESCAPE)) if (known === undefined && ++wrong > MOST_WRONG_ESCAPES) return true
  return false
}
