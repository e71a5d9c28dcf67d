/** How near a request came to a rule that did not decide it: which parts of the rule's condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import type { Directory } from '../model/directory.ts'
import type { Kind, Kinds } from '../model/kind.ts'
import { type ConditionEnvironment, compileCondition, compileIn, vocabularyOf } from './expressions.ts'
import type { Facts, RuleSummary } from './scenario.ts'
import { Sight } from './vocabulary.ts'

export interface Closeness {
  /** Parts of the condition, split at `&&`, that held. */
  held: string[]
  /** And those that did not, or could not be worked out. */
  missed: string[]
}

/** What a condition sees of one request. */
export function sightOf(facts: Facts, directory: Directory, kinds: Kinds): Sight {
  const kind = kinds.of(facts.kind)
  return new Sight(facts, kind, directory, vocabularyOf(kind, kinds))
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
export function closenessTo(
  { when }: Pick<RuleSummary, 'when'>,
  kinds: Kinds,
): (kind: Kind, sight: Sight) => Closeness {
  const compiled = new Map<Kind, Part<Sight>[]>()
  const partsFor = (kind: Kind) => {
    const known = compiled.get(kind)
    if (known) return known
    const parts = when === undefined ? [] : partsOf(when, (text) => compileCondition(text, kind, kinds).condition)
    compiled.set(kind, parts)
    return parts
  }
  return (kind, sight) => closenessOf(partsFor(kind), sight)
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
