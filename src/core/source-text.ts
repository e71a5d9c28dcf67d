// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${name} is how a scenario writes a parameter.
/** Reads YAML (and JSON) with bounds, and knows the line and column of every value. */
import type { Document, Scalar } from 'yaml'
import type { Libraries } from './model/kind.ts'
import { errorOf, must } from './model/must.ts'
import { type Path, type Problem, printPath, quote, type SourcePlace } from './model/problems.ts'

/** Characters. Scenarios are written by hand, and YAML takes seconds to refuse the worst text of a larger size. */
const LARGEST_TEXT = 250_000
const LONGEST_LIST = 10_000
const DEEPEST_NESTING = 50
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

/** Where a value stands, and its key. */
interface Place {
  offset: number
  key?: number | undefined
  scalar?: Scalar | undefined
}

export class SourceText {
  readonly file: string
  readonly text: string
  readonly libraries: Libraries
  readonly problems: Problem[] = []
  /** Plain values; undefined when the text could not be read. */
  value: unknown
  /** The text came from the cache, so that its shape and conditions need no check. */
  readonly checked: boolean
  readonly #lineStarts: number[] = [0]
  /** Those that were asked for, which the cache keeps. */
  readonly #offsets: Map<string, number>
  #places: Map<string, Place> | undefined
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
    this.#places = new Map()
    if (text.length > LARGEST_TEXT) {
      const size = `The text has ${text.length} characters; a scenario may have ${LARGEST_TEXT}.`
      this.#report(0, `${size} Split it, or extend another one.`)
      return
    }
    const document = this.#parse()
    const lines = new Set<number>()
    for (const error of [...document.errors, ...document.warnings].slice(0, 100)) {
      // YAML's problems behind the first slip on a line are about its own confusion.
      const { line } = this.position(error.pos[0])
      if (lines.has(line)) continue
      lines.add(line)
      this.#report(error.pos[0], explainYamlError(error.code, error.message, this.#lineAt(error.pos[0])))
    }
    if (this.problems.length === 0) this.#places = this.#placesIn(document)
    if (this.problems.length > 0) return
    try {
      this.value = document.toJS({ maxAliasCount: MOST_ALIASES })
    } catch (error) {
      this.#report(
        0,
        `The aliases (*name) expand to too much: at most ${MOST_ALIASES} are read. Write the values out. (${errorOf(error).message})`,
      )
    }
  }

  get read(): ReadText | undefined {
    return this.checked ? undefined : { value: this.value, offsets: Object.fromEntries(this.#offsets) }
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
      const place = this.#placeAt(path.slice(0, length))
      if (place) return place.offset
    }
    return 0
  }

  keyOffsetOf(path: Path): number {
    return this.#placeAt(path)?.key ?? this.offsetOf(path)
  }

  offsetWithin(path: Path, index: number): number {
    const node = this.#placeAt(path)?.scalar
    if (typeof node?.value !== 'string' || !node.range) return this.offsetOf(path)
    return offsetInScalar(this.text, node, node.value, this.#filled.get(printPath(path))?.(index) ?? index)
  }

  /** After parameters were filled in, indices refer to the filled text; `asWritten` maps them back. */
  noteFilled(path: Path, asWritten: (index: number) => number): void {
    this.#filled.set(printPath(path), asWritten)
  }

  writtenAt(path: Path): string | undefined {
    return this.#placeAt(path)?.scalar?.source
  }

  #placeAt(path: Path): Place | undefined {
    this.#places ??= this.#placesIn(this.#parse())
    return this.#places.get(JSON.stringify(path))
  }

  #parse(): Document.Parsed {
    const { stackTraceLimit } = Error
    // A hostile text has a hundred thousand mistakes, and a stack costs more than the rest of an error.
    Error.stackTraceLimit = 0
    try {
      const options = { prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const
      return this.libraries.yaml().parseDocument(this.text, options)
    } finally {
      Error.stackTraceLimit = stackTraceLimit
    }
  }

  #lineAt(offset: number): string {
    const start = this.#lineStarts[this.position(offset).line - 1] ?? 0
    const end = this.text.indexOf('\n', start)
    return this.text.slice(start, end < 0 ? undefined : end).slice(0, 500)
  }

  /** Keys must be plain and unique, and lists short enough for a person to have written them. */
  #placesIn(document: Document.Parsed): Map<string, Place> {
    const { isAlias, isMap, isNode, isPair, isScalar, isSeq } = this.libraries.yaml()
    const places = new Map<string, Place>()
    const startOf = (node: unknown) => (isNode(node) ? node.range?.[0] : undefined)
    const walk = (node: unknown, path: Path, key?: number): void => {
      const offset = startOf(node) ?? key ?? 0
      places.set(JSON.stringify(path), { offset, key, scalar: isScalar(node) ? node : undefined })
      if (isAlias(node) && !node.resolve(document)) {
        const message = `The alias *${node.source} names nothing: there is no &${node.source} before it.`
        this.#report(offset, message, path)
      }
      if (!isMap(node) && !isSeq(node)) return
      if (path.length > DEEPEST_NESTING) {
        const message = `Nested more than ${DEEPEST_NESTING} levels deep, which no scenario needs. Look for a bracket that is not closed.`
        this.#report(offset, message)
        return
      }
      if (node.items.length > LONGEST_LIST) {
        const count = `${node.items.length} ${isSeq(node) ? 'entries' : 'keys'}; at most ${LONGEST_LIST} are read.`
        this.#report(offset, `${count} Remove some, or express them by one rule.`, path)
        return
      }
      for (const [i, item] of node.items.entries()) {
        if (!isPair(item)) {
          walk(item, [...path, i])
          continue
        }
        const at = startOf(item.key) ?? offset
        if (!isScalar(item.key)) {
          this.#report(at, 'A key must be a plain word. If this was meant as a text, put it in quotes.', path)
          continue
        }
        const name = String(item.key.value)
        const first = places.get(JSON.stringify([...path, name]))?.key
        if (first !== undefined) {
          const message = `${quote(name)} is given twice, first on line ${this.position(first).line}. Remove one of the two.`
          this.#report(at, message, [...path, name])
        }
        walk(item.value, [...path, name], at)
      }
    }
    walk(document.contents, [])
    return places
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
  if (said.startsWith('Unexpected , in'))
    return 'A comma with nothing before it. Remove it, or write the missing value.'
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
