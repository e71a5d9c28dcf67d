/** How near a request came to a rule that did not decide it: which parts of the rule's condition held. */
import { type ASTNode, parse, serialize } from '@marcbachmann/cel-js'
import type { PaymentKind } from '../model/payment.ts'
import type { Directory } from './directory.ts'
import { type Condition, compileCondition, vocabularyOf } from './expressions.ts'
import type { Facts, RuleSummary } from './scenario.ts'
import { Sight } from './vocabulary.ts'

export interface Closeness {
  /** Parts of the condition, split at `&&`, that held. */
  held: string[]
  /** And those that did not, or could not be worked out. */
  missed: string[]
}

/** What a condition sees of one request. */
export function sightOf(facts: Facts, directory: Directory): Sight {
  return new Sight(facts, directory, vocabularyOf(facts.kind))
}

/** A judge of how near requests come to a rule. Without a condition, every request of its kinds is as near as can be. */
export function closenessTo({ when }: Pick<RuleSummary, 'when'>): (kind: PaymentKind, sight: Sight) => Closeness {
  const texts = when === undefined ? [] : conjuncts(when)
  const compiled = new Map<PaymentKind, { text: string; condition: Condition | undefined }[]>()
  const partsFor = (kind: PaymentKind) => {
    const known = compiled.get(kind)
    if (known) return known
    const parts = texts.map((text) => ({ text, condition: compileCondition(text, kind).condition }))
    compiled.set(kind, parts)
    return parts
  }
  return (kind, sight) => {
    const closeness: Closeness = { held: [], missed: [] }
    for (const { text, condition } of partsFor(kind))
      (holds(condition, sight) ? closeness.held : closeness.missed).push(text)
    return closeness
  }
}

function holds(condition: Condition | undefined, sight: Sight): boolean {
  try {
    return condition?.(sight) ?? false
  } catch {
    return false
  }
}

/** `a && (b || c) && d` as `a`, `b || c` and `d`. */
function conjuncts(expression: string): string[] {
  const split = (node: ASTNode): ASTNode[] => (node.op === '&&' ? node.args.flatMap(split) : [node])
  return split(parse(expression).ast).map(serialize)
}
