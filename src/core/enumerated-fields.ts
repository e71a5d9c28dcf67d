/** Checks comparisons of fields that have a fixed list of values: with any other value a condition never holds. */
import type { ASTNode } from '@marcbachmann/cel-js'
import { didYouMean, quote } from './model/problems.ts'
import type { ExpressionProblem } from './scenarios/language/expression-problems.ts'

export type Words = Readonly<Record<string, readonly string[]>>

const LISTED = 20

export function wordProblem(node: ASTNode, words: Words): ExpressionProblem | undefined {
  if (node.op === '==' || node.op === '!=' || node.op === 'in') {
    const [left, right] = node.args
    const problem = neverHas(left, right, words) ?? neverHas(right, left, words)
    if (problem) return problem
  }
  for (const child of childrenOf(node)) {
    const problem = wordProblem(child, words)
    if (problem) return problem
  }
  return undefined
}

function neverHas(field: ASTNode, against: ASTNode, words: Words): ExpressionProblem | undefined {
  const name = enumeratedField(field) ?? ''
  const known = Object.hasOwn(words, name) ? words[name] : undefined
  if (!known) return undefined
  for (const { op, args, start } of against.op === 'list' ? against.args : [against]) {
    if (op !== 'value' || typeof args !== 'string' || args === '' || known.includes(args)) continue
    const list = known.length > LISTED ? '' : ` Known: ${known.join(', ')}.`
    return { start, message: `${name} is never ${quote(args)}.${list}${didYouMean(args, known)}` }
  }
  return undefined
}

export function enumeratedField(node: ASTNode): string | undefined {
  return node.op === '.' && node.args[0].op === 'id' ? `${node.args[0].args}.${node.args[1]}` : undefined
}

export function childrenOf({ args }: ASTNode): ASTNode[] {
  const below: unknown[] = Array.isArray(args) ? args.flat(2) : [args]
  return below.filter((child): child is ASTNode => typeof child === 'object' && child !== null && 'op' in child)
}
