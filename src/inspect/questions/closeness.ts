/** Measures how near a request came to a rule: how many parts of the condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import { type Condition, type ConditionEnvironment, compileCondition, compileIn } from '../../core/expressions.ts'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import type { Kind, Kinds } from '../../core/model/kind.ts'
import type { RuleSummary } from '../../core/model/rule-summaries.ts'

export interface Closeness {
  held: string[]
  missed: string[]
}

export interface ConditionPart {
  text: string
  node: ASTNode
  holds(seen: object): boolean
}

export function partsOf(expression: string, compile: (text: string) => Condition | undefined): ConditionPart[] {
  return conjuncts(parse(expression).ast).map((node) => {
    const text = serialize(node)
    const condition = compile(text)
    return { text, node, holds: (seen) => holds(condition, seen) }
  })
}

export function closenessOf(parts: readonly ConditionPart[], seen: object): Closeness {
  const closeness: Closeness = { held: [], missed: [] }
  for (const part of parts) (part.holds(seen) ? closeness.held : closeness.missed).push(part.text)
  return closeness
}

/** Without a condition, every request of the rule's kinds fits. */
export function closenessTo(
  { when }: Pick<RuleSummary, 'when'>,
  kinds: Kinds,
): (kind: Kind, context: object) => Closeness {
  const compiled = new Map<Kind, ConditionPart[]>()
  const partsFor = (kind: Kind) => {
    const known = compiled.get(kind)
    if (known) return known
    const parts =
      when === undefined ? [] : partsOf(when, (text) => compileCondition(text, kind, kinds, loadedLibraries).condition)
    compiled.set(kind, parts)
    return parts
  }
  return (kind, context) => closenessOf(partsFor(kind), context)
}

export function closenessIn(when: string | undefined, environment: ConditionEnvironment): (seen: object) => Closeness {
  const compile = (text: string) => compileIn(text, environment).condition
  const parts = when === undefined ? [] : partsOf(when, compile)
  return (seen) => closenessOf(parts, seen)
}

function holds(condition: Condition | undefined, seen: object): boolean {
  try {
    return condition?.(seen) ?? false
  } catch {
    return false
  }
}

export function conjuncts(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node]
}
