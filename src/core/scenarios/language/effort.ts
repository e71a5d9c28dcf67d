import type { ASTNode } from '@marcbachmann/cel-js'
import type { RE2JS } from 're2js'
import { childrenOf } from '../../enumerated-fields.ts'
import type { Libraries } from '../../model/kind.ts'

/** Enough for one pattern of the most signs over the longest text. */
const MOST_STEPS = 256_000
const LONGEST_TEXT = 10_000
const LONGEST_LIST = 1000

const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter', 'bind']

const FIELDS = ['.', '.?', '[]', '[?]']

type LiveNode = ASTNode & {
  readonly meta: { alternate?: LiveNode; macro?: LiveNode; evaluate: Evaluate }
  evaluate: Evaluate
}
type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown

/**
 * The budget of one evaluation. Every value that a loop reads or makes costs a step for each item and character,
 * because texts and lists that double grow faster than the expression that doubles them.
 */
export class Effort {
  #left = MOST_STEPS
  #problem: RangeError | undefined

  get problem(): string | undefined {
    return this.#problem?.message
  }

  restore(): void {
    this.#left = MOST_STEPS
    this.#problem = undefined
  }

  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) this.#refuse(`takes more than ${MOST_STEPS} steps`)
  }

  /** CEL drops an error that the other side of `||` or another item of `exists` decides. This one stays. */
  check(): void {
    if (this.#problem) throw this.#problem
  }

  /** Called after the type check, because that decides how a node is evaluated. Without a loop nothing can grow. */
  limit(root: ASTNode): boolean {
    const looped = hasLoop(root)
    if (looped) this.#limit(root as LiveNode, false)
    return looped
  }

  #limit(node: LiveNode, onlyFieldRead: boolean): void {
    const { alternate, macro, evaluate } = node.meta
    const inner = alternate ?? macro
    const run: Evaluate = inner
      ? (evaluator, _, context) => inner.evaluate(evaluator, inner, context)
      : (evaluator, self, context) => evaluate(evaluator, self, context)
    node.evaluate = (evaluator, self, context) => {
      this.check()
      const value = run(evaluator, self, context)
      if (onlyFieldRead) this.spend(1)
      else this.#read(value)
      return value
    }
    const below = childrenOf(node) as LiveNode[]
    for (const child of below) this.#limit(child, FIELDS.includes(node.op) && child === below[0])
  }

  #read(value: unknown): void {
    this.spend(1)
    if (typeof value === 'string') {
      if (value.length > LONGEST_TEXT) this.#refuse(`makes or reads a text of over ${LONGEST_TEXT} characters`)
      this.spend(value.length)
    }
    if (ArrayBuffer.isView(value)) this.spend(value.byteLength)
    const items = itemsOf(value)
    if (items.length > LONGEST_LIST) this.#refuse(`makes or reads a list of over ${LONGEST_LIST} items`)
    for (const item of items) this.#read(item)
  }

  #refuse(what: string): never {
    this.#problem ??= new RangeError(`The condition ${what}. Use shorter texts, lists, loops or patterns`)
    throw this.#problem
  }
}

function itemsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (ArrayBuffer.isView(value)) return []
  if (Array.isArray(value)) return value
  if (value instanceof Map || value instanceof Set) return [...value.values()]
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype ? Object.values(value) : []
}

function hasLoop(node: ASTNode): boolean {
  return isLoop(node) || childrenOf(node).some(hasLoop)
}

export function isLoop(node: ASTNode): boolean {
  return node.op === 'rcall' && LOOPS.includes(node.args[0])
}

// Regular expressions from strangers, run by RE2: time grows only with the length of pattern and text.

const LONGEST_PATTERN = 200
const LONGEST_SUBJECT = 256
const MOST_WRITTEN_OUT = 1000

export class Pattern {
  readonly #regexp: RE2JS
  readonly #effort: Effort

  constructor(regexp: RE2JS, effort: Effort) {
    this.#regexp = regexp
    this.#effort = effort
  }

  test(text: string): boolean {
    if (text.length > LONGEST_SUBJECT)
      throw new RangeError(`matches() reads texts of up to ${LONGEST_SUBJECT} characters`)
    this.#effort.spend(text.length * this.#regexp.programSize())
    return this.#regexp.test(text)
  }
}

export function readPattern(
  text: string,
  effort: Effort,
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
    return { pattern: new Pattern(RE2JS.compile(text), effort) }
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
