/** Bounds the work of a condition: steps, and lengths of the texts and lists that its loops make. */
import type { ASTNode } from '@marcbachmann/cel-js'
import { childrenOf } from '../../enumerated-fields.ts'

/** Enough for one pattern of the most signs over the longest text. */
const MOST_STEPS = 256_000
const LONGEST_TEXT = 10_000
const LONGEST_LIST = 1000

const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter', 'bind']

const FIELDS = ['.', '.?', '[]', '[?]']

/** Undeclared members of the library's nodes. */
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
