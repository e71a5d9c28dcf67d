/** Measures how near a request came to a rule: how many parts of the condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import type { Condition } from '../../core/expressions.ts'

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

/** `compile` is asked once for each subject, such as a kind of payment. Without a condition, everything fits. */
export function closenessTo<Subject>(
  when: string | undefined,
  compile: (text: string, subject: Subject) => Condition | undefined,
): (subject: Subject, seen: object) => Closeness {
  const compiled = new Map<Subject, ConditionPart[]>()
  return (subject, seen) => {
    const parts = compiled.get(subject) ?? (when === undefined ? [] : partsOf(when, (text) => compile(text, subject)))
    compiled.set(subject, parts)
    return closenessOf(parts, seen)
  }
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
