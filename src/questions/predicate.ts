/** Questions in CEL about what is in a world: compiled, bounded, and answered with what stood in the way. */
import { type ASTNode, parse } from '@marcbachmann/cel-js'
import { Refusal } from '../model/refusal.ts'
import type { Service } from '../model/simulated-service.ts'
import { childrenOf, nameOf, wordProblem } from '../scenarios/language/enumerated-fields.ts'
import { compileIn } from '../scenarios/language/expressions.ts'
import { conjuncts, type Part, partsOf } from '../scenarios/lint/closeness.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import { environmentOf, type Scope, wordsOf } from './subjects.ts'

/** A condition to be put to many things. */
export interface Predicate {
  scope: Scope
  /** False also where the condition cannot be worked out: a body has not the field. */
  holds(context: EvaluationContext): boolean
  /** What has to hold, split at `&&`. */
  parts: readonly Part[]
  /** `payment.uuid == "…"` and the like, which a store can look up: the text or number by the field's name. */
  equals: ReadonlyMap<string, string | number>
  /** The names that it asks about: `payment`, `now`. */
  names: ReadonlySet<string>
  /** It matches patterns: to put it to one thing can take some milliseconds. */
  matches: boolean
}

const LONGEST = 2_000

/** Reads a condition; refuses one that is wrong, with the field it came in, the column, and the nearest known name. */
export function readPredicate(expression: string, scope: Scope, field: string, service: Service): Predicate {
  if (expression.length > LONGEST)
    throw wrong(field, `must have at most ${LONGEST} characters, has ${expression.length}`)
  const environment = environmentOf(scope)
  const compile = (text: string) => compileIn(text, 'question', environment)
  const { condition, problem } = compile(expression)
  if (problem) throw wrong(field, `${place(expression, problem.start)}: ${problem.message}`)
  const { ast } = parse(expression)
  const never = wordProblem(ast, wordsOf(service))
  if (never) throw wrong(field, `${place(expression, never.start)}: ${never.message}`)
  return {
    scope,
    holds: (context) => {
      try {
        return condition(context)
      } catch {
        return false
      }
    },
    parts: partsOf(expression, (text) => compile(text).condition),
    equals: new Map(conjuncts(ast).flatMap((part) => equality(part) ?? [])),
    names: new Set(namesIn(ast)),
    matches: matchesPatterns(ast),
  }
}

/** `column 12`, and the line where there are several. */
function place(expression: string, offset: number): string {
  const before = expression.slice(0, offset)
  const column = offset - before.lastIndexOf('\n')
  return expression.includes('\n') ? `line ${before.split('\n').length}, column ${column}` : `column ${column}`
}

/** A field and what it is compared with, when that is written out. */
function equality(node: ASTNode): [string, string | number][] | undefined {
  if (node.op !== '==') return undefined
  for (const [field, value] of [node.args, node.args.toReversed()] as [ASTNode, ASTNode][]) {
    const name = nameOf(field)
    const literal = value.op === 'value' ? value.args : undefined
    if (name === undefined) continue
    if (typeof literal === 'string' || typeof literal === 'number') return [[name, literal]]
    if (typeof literal === 'bigint') return [[name, Number(literal)]]
  }
  return undefined
}

function* namesIn(node: ASTNode): Iterable<string> {
  if (node.op === 'id') yield node.args
  for (const child of childrenOf(node)) yield* namesIn(child)
}

function matchesPatterns(node: ASTNode): boolean {
  return (node.op === 'rcall' && node.args[0] === 'matches') || childrenOf(node).some(matchesPatterns)
}

function wrong(field: string, what: string): Refusal {
  return new Refusal('INVALID_EXPRESSION', `${field}: ${what}`, { message: 'Invalid expression' })
}
