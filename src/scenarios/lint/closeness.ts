/** How near a request came to a rule that did not decide it: which parts of the rule's condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import type { PaymentKind } from '../../model/payment.ts'
import type { Directory } from '../directory.ts'
import { type ConditionEnvironment, compileCondition, compileIn, vocabularyOf } from '../language/expressions.ts'
import { PaymentContext } from '../language/vocabulary.ts'
import type { Facts, RuleSummary } from '../scenario.ts'

export interface Closeness {
  /** Parts of the condition, split at `&&`, that held. */
  held: string[]
  /** And those that did not, or could not be worked out. */
  missed: string[]
}

/** What a condition sees of one request. */
export function contextOf(facts: Facts, directory: Directory): PaymentContext {
  return new PaymentContext(facts, directory, vocabularyOf(facts.kind))
}

/** One of the things that have to hold for a condition to hold. */
export interface Part<Seen> {
  text: string
  node: ASTNode
  /** False also where it cannot be worked out. */
  holds(seen: Seen): boolean
}

/** A condition split at `&&`, each part compiled for itself. */
export function partsOf<Seen>(
  expression: string,
  compile: (text: string) => ((seen: Seen) => boolean) | undefined,
): Part<Seen>[] {
  return conjuncts(parse(expression).ast).map((node) => {
    const text = serialize(node)
    const condition = compile(text)
    return { text, node, holds: (seen) => holds(condition, seen) }
  })
}

/** Which of the parts hold. */
export function closenessOf<Seen>(parts: readonly Part<Seen>[], seen: Seen): Closeness {
  const closeness: Closeness = { held: [], missed: [] }
  for (const part of parts) (part.holds(seen) ? closeness.held : closeness.missed).push(part.text)
  return closeness
}

/** A judge of how near requests come to a rule. Without a condition, every request of its kinds is as near as can be. */
export function closenessTo({
  when,
}: Pick<RuleSummary, 'when'>): (kind: PaymentKind, context: PaymentContext) => Closeness {
  const compiled = new Map<PaymentKind, Part<PaymentContext>[]>()
  const partsFor = (kind: PaymentKind) => {
    const known = compiled.get(kind)
    if (known) return known
    const parts = when === undefined ? [] : partsOf(when, (text) => compileCondition(text, kind).condition)
    compiled.set(kind, parts)
    return parts
  }
  return (kind, context) => closenessOf(partsFor(kind), context)
}

/** The same for conditions in an environment of their own. */
export function closenessIn<Seen extends object>(
  when: string | undefined,
  subject: string,
  environment: ConditionEnvironment,
): (seen: Seen) => Closeness {
  const compile = (text: string) => compileIn<Seen>(text, subject, environment).condition
  const parts = when === undefined ? [] : partsOf(when, compile)
  return (seen) => closenessOf(parts, seen)
}

function holds<Seen>(condition: ((seen: Seen) => boolean) | undefined, seen: Seen): boolean {
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
