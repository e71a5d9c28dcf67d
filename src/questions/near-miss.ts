/** Of things that a question did not hold for, the one that it nearly held for, and what was different. */
import { type ASTNode, serialize } from '@marcbachmann/cel-js'
import { childrenOf } from '../scenarios/language/enumerated-fields.ts'
import { closenessOf } from '../scenarios/lint/closeness.ts'
import type { EvaluationContext } from './evaluation-context.ts'
import type { Predicate } from './predicate.ts'
import { environmentOf, type Scope } from './subjects.ts'

/** A part of a condition that was false, and what its names stood for. */
export interface Missed {
  part: string
  /** `{"payment.status": "PENDING"}`; a value that is not there is missing here too. */
  found: Record<string, unknown>
}

export interface Nearest {
  context: EvaluationContext
  /** Parts of the condition that held. */
  held: string[]
  missed: Missed[]
}

/** Longer texts are cut where they are shown. */
const SHOWN = 200

/**
 * The context that most parts of the condition hold for; of equals, the one whose texts and numbers are most like
 * those that were asked for; of equals again, the first. Undefined without contexts.
 */
export function nearestTo(predicate: Predicate, contexts: Iterable<EvaluationContext>): Nearest | undefined {
  let best: { context: EvaluationContext; held: string[]; likeness: number } | undefined
  for (const context of contexts) {
    const { held } = closenessOf(predicate.parts, context)
    if (best && held.length < best.held.length) continue
    const likeness = likenessOf(predicate, context)
    if (!best || held.length > best.held.length || likeness > best.likeness) best = { context, held, likeness }
  }
  if (!best) return undefined
  const { context, held } = best
  const missed = predicate.parts
    .filter(({ text }) => !held.includes(text))
    .map(({ text, node }) => ({ part: text, found: found(predicate.scope, node, context) }))
  return { context, held, missed }
}

/** `payment.status is "PENDING" and payment.amount is 5`. */
export function sayMissed(missed: readonly Missed[]): string {
  return missed
    .map(({ part, found }) => {
      const values = Object.entries(found).map(([name, value]) => `${name} is ${JSON.stringify(value)}`)
      return values.length === 0 ? `${part} cannot be worked out` : values.join(' and ')
    })
    .join(', and ')
}

/** How alike what was found is to what was asked for, over all fields that are compared with something written out. */
function likenessOf({ scope, equals }: Predicate, context: EvaluationContext): number {
  let sum = 0
  for (const [name, wanted] of equals) {
    const value = lookUp(scope, name, context)
    if (typeof value === 'string') sum += alike(value, String(wanted))
    else if (typeof value === 'number') sum += value === Number(wanted) ? 1 : 1 / (2 + Math.abs(value - Number(wanted)))
  }
  return sum
}

/** The share of two texts that is the same from the beginning and from the end. */
function alike(a: string, b: string): number {
  if (a === b) return 1
  const shorter = Math.min(a.length, b.length, SHOWN)
  let start = 0
  while (start < shorter && a[start] === b[start]) start++
  let end = 0
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return (start + end) / Math.max(a.length, b.length, 1)
}

/** What the names in a part stand for. */
function found(scope: Scope, node: ASTNode, context: EvaluationContext): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of namesIn(scope, node)) {
    const value = lookUp(scope, name, context)
    if (value !== undefined) values[name] = value
  }
  return values
}

/** `payment.status`, `body.items[0].id`: whatever is read of the names that the scope knows. */
function namesIn(scope: Scope, node: ASTNode): Set<string> {
  const { variables, plain } = environmentOf(scope)
  const names = new Set<string>()
  const walk = (one: ASTNode) => {
    if ((one.op === '.' || one.op === '[]' || one.op === 'id') && rootedIn(one)) names.add(serialize(one))
    else for (const child of childrenOf(one)) walk(child)
  }
  const rootedIn = (one: ASTNode): boolean => {
    if (one.op === 'id') return variables.has(one.args) || Object.hasOwn(plain, one.args)
    return (one.op === '.' || one.op === '[]') && rootedIn(one.args[0])
  }
  walk(node)
  return names
}

function lookUp(scope: Scope, name: string, context: EvaluationContext): unknown {
  try {
    return shown(environmentOf(scope).cel.evaluate(name, context))
  } catch {
    return undefined
  }
}

/** As JSON shows it, cut short. */
function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= SHOWN) return value
  return `${text.slice(0, SHOWN)}…`
}
