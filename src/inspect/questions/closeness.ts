/** How near a request came to a rule that did not decide it: which parts of the rule's condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import { type Condition, type ConditionEnvironment, compileCondition, compileIn } from '../../core/expressions.ts'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import type { Kind, Kinds } from '../../core/model/kind.ts'
import type { RuleSummary } from '../../core/model/rule-summaries.ts'

export interface Closeness {
  /** Parts of the condition, split at `&&`, that held. */
  held: string[]
  /** And those that did not, or could not be worked out. */
  missed: string[]
}

/** One of the things that have to hold for a condition to hold. */
export interface Part {
  text: string
  node: ASTNode
  /** False also where it cannot be worked out. */
  holds(seen: object): boolean
}

/** A condition split at `&&`, each part compiled for itself. */
export function partsOf(expression: string, compile: (text: string) => Condition | undefined): Part[] {
  return conjuncts(parse(expression).ast).map((node) => {
    const text = serialize(node)
    const condition = compile(text)
    return { text, node, holds: (seen) => holds(condition, seen) }
  })
}

/** Which of the parts hold. */
export function closenessOf(parts: readonly Part[], seen: object): Closeness {
  const closeness: Closeness = { held: [], missed: [] }
  for (const part of parts) (part.holds(seen) ? closeness.held : closeness.missed).push(part.text)
  return closeness
}

/** A judge of how near requests come to a rule. Without a condition, every request of its kinds is as near as can be. */
export function closenessTo(
  { when }: Pick<RuleSummary, 'when'>,
  kinds: Kinds,
): (kind: Kind, context: object) => Closeness {
  const compiled = new Map<Kind, Part[]>()
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

/** A judge of how near requests come to a condition of any environment. */
export function closenessIn(
  when: string | undefined,
  subject: string,
  environment: ConditionEnvironment,
): (seen: object) => Closeness {
  const compile = (text: string) => compileIn(text, subject, environment).condition
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

/** `a && (b || c) && d` as `a`, `b || c` and `d`. */
export function conjuncts(node: ASTNode): ASTNode[] {
  return node.op === '&&' ? node.args.flatMap(conjuncts) : [node]
}
