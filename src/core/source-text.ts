// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
/** Reads YAML (and JSON) with bounds, and knows the line and column of every value. */
import type { Document, Lexer, Node, Scalar } from 'yaml'
import type { Libraries } from './model/kind.ts'
import { errorOf, must } from './model/must.ts'
import { type Path, type Problem, printPath, quote, type SourcePlace } from './model/problems.ts'

const MOST_ALIASES = 100

export interface ReadText {
  value: unknown
  offsets: Record<string, number>
}

/** Keeps texts without problems, because reading and checking are the most expensive part of loading a scenario. */
export interface TextCache {
  get(text: string): ReadText | undefined
  put(text: string, read: ReadText): void
}

export class SourceText {
  readonly file: string
  readonly text: string
  readonly libraries: Libraries
  readonly problems: Problem[] = []
  /** Plain values; undefined when the text could not be read. */
  readonly value: unknown
  /** The text came from the cache, so that its shape and conditions need no check. */
  readonly checked: boolean
  readonly #lineStarts: number[] = [0]
  readonly #offsets: Map<string, number>
  #document: Document.Parsed | undefined
  readonly #filled = new Map<string, (index: number) => number>()

  constructor(text: string, file: string, libraries: Libraries, known?: ReadText) {
    this.file = file
    this.text = text
    this.libraries = libraries
    this.checked = known !== undefined
    this.#offsets = new Map(Object.entries(known?.offsets ?? {}))
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.#lineStarts.push(i + 1)
    if (known) {
      this.value = known.value
      return
    }
    const broken = boundBroken(text, new (libraries.yaml().Lexer)())
    if (broken) {
      this.#document = this.#parse('')
      this.#report(broken.offset, broken.message)
      return
    }
    const lines = new Set<number>()
    for (const error of [...this.document.errors, ...this.document.warnings].slice(0, 100)) {
      // YAML's problems behind the first slip on a line are about its own confusion.
      const { line } = this.position(error.pos[0])
      if (lines.has(line)) continue
      lines.add(line)
      this.#report(error.pos[0], explainYamlError(error.code, error.message, this.#lineAt(error.pos[0])))
    }
    if (this.problems.length === 0) this.#check(this.document.contents, [])
    if (this.problems.length > 0) return
    try {
      this.value = this.document.toJS({ maxAliasCount: MOST_ALIASES })
    } catch (error) {
      this.#report(
        0,
        `The aliases (*name) expand to too much: at most ${MOST_ALIASES} are read. Write the values out. (${errorOf(error).message})`,
      )
    }
  }

  get read(): ReadText | undefined {
    if (!this.#document) return undefined
    return { value: this.value, offsets: Object.fromEntries(this.#offsets) }
  }

  private get document(): Document.Parsed {
    this.#document ??= this.#parse(this.text)
    return this.#document
  }

  /** Both from 1. */
  position(offset: number): { line: number; column: number } {
    let low = 0
    let high = this.#lineStarts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 }
  }

  tell(message: string, path: Path = [], at?: 'key' | number): void {
    const within = typeof at === 'number' ? this.offsetWithin(path, at) : this.offsetOf(path)
    this.#report(at === 'key' ? this.keyOffsetOf(path) : within, message, path)
  }

  #report(offset: number, message: string, path: Path = []): void {
    this.problems.push({ file: this.file, ...this.position(offset), path: printPath(path), message })
  }

  placeOf(path: Path): SourcePlace {
    return { file: this.file, ...this.position(this.offsetOf(path)), path: printPath(path) }
  }

  offsetOf(path: Path): number {
    const key = JSON.stringify(path)
    const offset = this.#offsets.get(key) ?? this.#offsetOf(path)
    this.#offsets.set(key, offset)
    return offset
  }

  #offsetOf(path: Path): number {
    for (let length = path.length; length >= 0; length--) {
      const start = this.nodeAt(path.slice(0, length))?.range?.[0] ?? this.#keyOffset(path.slice(0, length))
      if (start !== undefined) return start
    }
    return 0
  }

  keyOffsetOf(path: Path): number {
    return this.#keyOffset(path) ?? this.offsetOf(path)
  }

  offsetWithin(path: Path, index: number): number {
    const node = this.#scalarAt(path)
    if (typeof node?.value !== 'string' || !node.range) return this.offsetOf(path)
    return offsetInScalar(this.text, node, node.value, this.#filled.get(printPath(path))?.(index) ?? index)
  }

  /** After parameters were filled in, indices refer to the filled text; `asWritten` maps them back. */
  noteFilled(path: Path, asWritten: (index: number) => number): void {
    this.#filled.set(printPath(path), asWritten)
  }

  writtenAt(path: Path): string | undefined {
    return this.#scalarAt(path)?.source
  }

  #scalarAt(path: Path): Scalar | undefined {
    const node = this.nodeAt(path)
    return this.libraries.yaml().isScalar(node) ? node : undefined
  }

  nodeAt(path: Path): Node | undefined {
    const { isAlias, isMap, isNode, isSeq } = this.libraries.yaml()
    let node: unknown = this.document.contents
    for (const part of path) {
      if (isAlias(node)) node = node.resolve(this.document)
      if (isMap(node)) node = this.#pair(node, part)?.value
      else if (isSeq(node) && typeof part === 'number') node = node.items[part]
      else return undefined
    }
    return isNode(node) ? node : undefined
  }

  #keyOffset(path: Path): number | undefined {
    const { isMap, isNode } = this.libraries.yaml()
    const last = path.at(-1)
    const parent = last === undefined ? undefined : this.nodeAt(path.slice(0, -1))
    if (last === undefined || !isMap(parent)) return undefined
    const key = this.#pair(parent, last)?.key
    return isNode(key) ? key.range?.[0] : undefined
  }

  #pair(map: { items: { key: unknown; value: unknown }[] }, name: string | number) {
    const { isScalar } = this.libraries.yaml()
    return map.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(name))
  }

  #parse(text: string): Document.Parsed {
    return this.libraries.yaml().parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'error' })
  }

  #lineAt(offset: number): string {
    const start = this.#lineStarts[this.position(offset).line - 1] ?? 0
    const end = this.text.indexOf('\n', start)
    return this.text.slice(start, end < 0 ? undefined : end).slice(0, 500)
  }

  /** Keys must be plain and unique, and lists short enough for a person to have written them. */
  #check(node: unknown, path: Path): void {
    const { isAlias, isMap, isNode, isPair, isScalar, isSeq } = this.libraries.yaml()
    if (isAlias(node) && !node.resolve(this.document)) {
      this.#report(
        node.range?.[0] ?? 0,
        `The alias *${node.source} names nothing: there is no &${node.source} before it.`,
        path,
      )
    }
    if (!isMap(node) && !isSeq(node)) return
    if (node.items.length > LONGEST_LIST) {
      const what = isSeq(node) ? 'entries' : 'keys'
      this.#report(
        node.range?.[0] ?? 0,
        `${node.items.length} ${what}; at most ${LONGEST_LIST} are read. Remove some, or express them by one rule.`,
        path,
      )
      return
    }
    const seen = new Map<string, number>()
    for (const [i, item] of node.items.entries()) {
      if (!isPair(item)) {
        this.#check(item, [...path, i])
        continue
      }
      const offset = (isNode(item.key) ? item.key.range?.[0] : undefined) ?? node.range?.[0] ?? 0
      if (!isScalar(item.key)) {
        this.#report(offset, 'A key must be a plain word. If this was meant as a text, put it in quotes.', path)
        continue
      }
      const name = String(item.key.value)
      const first = seen.get(name)
      if (first !== undefined) {
        const { line } = this.position(first)
        const message = `${quote(name)} is given twice, first on line ${line}. Remove one of the two.`
        this.#report(offset, message, [...path, name])
      }
      seen.set(name, offset)
      this.#check(item.value, [...path, name])
    }
  }
}

/**
 * Follows value and source side by side. They differ only in white space, escapes and indentation, so each other
 * character of the value is the next such character of the source.
 */
function offsetInScalar(source: string, node: Scalar, value: string, index: number): number {
  let at = must(node.range)[0]
  if (node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED') at = source.indexOf('\n', at) + 1
  else if (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE') at++
  for (let i = 0; ; i++) {
    const character = value[i]
    if (character !== undefined && character.trim() !== '') while (source[at]?.trim() === '') at++
    if (i >= index || character === undefined) return Math.min(at, source.length)
    if (node.type === 'QUOTE_DOUBLE' && source[at] === '\\') at += escapeLength(source, at)
    else if (node.type === 'QUOTE_SINGLE' && character === "'") at += 2
    else at++
  }
}

function escapeLength(source: string, at: number): number {
  const kind = source[at + 1]
  return kind === 'x' ? 4 : kind === 'u' ? 6 : kind === 'U' ? 10 : 2
}

function explainYamlError(code: string, message: string, line: string): string {
  const said = message.replace(/ at line \d+, column \d+:?[\s\S]*$/, '')
  if (/[{,[].*\$\{/.test(line))
    return 'Inside { } and [ ], a parameter has to be in quotes: { KES: "${limit}" }. As the whole value, it still counts as a number.'
  if (code === 'TAB_AS_INDENT') return 'Indented with a tab. YAML indents with spaces; replace the tab.'
  if (code === 'TAG_RESOLVE_FAILED') {
    return `${said}. Tags are not used here: a text that begins with "!" has to be in quotes, as in when: '!has(request.remarks)'.`
  }
  if (code === 'RESOURCE_EXHAUSTION') return 'Nested too deeply. No scenario needs more than ten levels.'
  if (code === 'MULTIPLE_DOCS') return 'More than one document (---). A scenario is one document; remove the others.'
  if (/^\s*(- )?\{?.*\bwhen:/.test(line)) {
    return `${said}. An expression that holds ": " or " #", begins with a quote, or holds a comma or a bracket inside { }, has to be in quotes as a whole: when: '…'.`
  }
  const indented = code === 'BLOCK_AS_IMPLICIT_KEY' ? ' If not, look at how far the next line is indented.' : ''
  return `${said}. If this was meant as a text, put it in quotes.${indented}`
}

// Refuses oversized texts by their tokens alone, so that no text takes long to refuse.

/** Characters. Scenarios are written by hand, so a larger text is a mistake or an attack. */
const LARGEST_TEXT = 1_000_000
const LONGEST_LIST = 10_000
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

function boundBroken(text: string, lexer: Lexer): { offset: number; message: string } | undefined {
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
