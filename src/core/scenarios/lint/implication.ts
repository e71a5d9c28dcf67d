/** Reasons about conditions without running them: which implies another, and which never holds. */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { Libraries } from '../../model/libraries.ts'
import { must } from '../../model/must.ts'

type Value = string | number | boolean
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const
const TEXT_TESTS = ['startsWith', 'endsWith', 'contains'] as const
type Sign = (typeof COMPARISONS)[number] | (typeof TEXT_TESTS)[number]

interface Claim {
  subject: string
  sign: Sign
  values: readonly Value[]
}
export type Formula = { all: readonly Formula[] } | { any: readonly Formula[] } | { text: string; claim?: Claim }

/** Limits comparisons, so that no scenario takes long. What is not compared gets no warning. */
const MOST_STEPS = 100_000
const MIRRORED: Record<(typeof COMPARISONS)[number], Sign> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
}

export function formulaOf(expression: string, { cel }: Pick<Libraries, 'cel'>): Formula {
  const { parse, serialize } = cel()
  return toFormula(parse(expression).ast, serialize)
}

type Serialize = (node: ASTNode) => string

function toFormula(node: ASTNode, serialize: Serialize): Formula {
  if (node.op === '&&') return { all: node.args.map((part) => toFormula(part, serialize)) }
  if (node.op === '||') return { any: node.args.map((part) => toFormula(part, serialize)) }
  const claim = claimOf(node, serialize)
  return { text: serialize(node), ...(claim && { claim }) }
}

function claimOf(node: ASTNode, serialize: Serialize): Claim | undefined {
  if (node.op === '.' || node.op === 'id') return { subject: serialize(node), sign: '==', values: [true] }
  if (node.op === '!_' && node.args.op === '.') return { subject: serialize(node.args), sign: '==', values: [false] }
  if (node.op === 'in' && node.args[1].op === 'list') {
    const items = node.args[1].args
    const values = items.map(literal).filter((value) => value !== undefined)
    return values.length < items.length ? undefined : { subject: serialize(node.args[0]), sign: '==', values }
  }
  if (node.op === 'rcall') {
    const [method, receiver, [argument]] = node.args
    const sign = TEXT_TESTS.find((test) => test === method)
    const value = argument && literal(argument)
    return sign && typeof value === 'string' ? { subject: serialize(receiver), sign, values: [value] } : undefined
  }
  const sign = COMPARISONS.find((comparison) => comparison === node.op)
  if (!sign) return undefined
  const [left, right] = node.args as [ASTNode, ASTNode]
  const [onLeft, onRight] = [literal(left), literal(right)]
  if (onRight !== undefined) return { subject: serialize(left), sign, values: [onRight] }
  if (onLeft !== undefined) return { subject: serialize(right), sign: MIRRORED[sign], values: [onLeft] }
  return undefined
}

function literal(node: ASTNode): Value | undefined {
  if (node.op === '-_') {
    const number = literal(node.args)
    return typeof number === 'number' ? -number : undefined
  }
  if (node.op !== 'value') return undefined
  const { args } = node
  if (typeof args === 'string' || typeof args === 'boolean' || typeof args === 'number') return args
  return args === null || args instanceof Uint8Array ? undefined : Number(args.valueOf())
}

export class Reasoner {
  #left = MOST_STEPS

  implies(first: Formula, second: Formula): boolean {
    if (--this.#left < 0) return false
    if ('all' in second) return second.all.every((part) => this.implies(first, part))
    if ('any' in first) return first.any.every((one) => this.implies(one, second))
    if ('all' in first && first.all.some((part) => this.implies(part, second))) return true
    if ('any' in second) return second.any.some((one) => this.implies(first, one))
    if ('all' in first) return false
    if (first.text === second.text) return true
    return first.claim !== undefined && second.claim !== undefined && follows(first.claim, second.claim)
  }

  neverHolds(formula: Formula): boolean {
    if ('any' in formula) return formula.any.every((one) => this.neverHolds(one))
    if (!('all' in formula)) return formula.text === 'false'
    const parts = flatten(formula)
    if (parts.some((part) => this.neverHolds(part))) return true
    return parts.some((part, i) => parts.slice(i + 1).some((other) => --this.#left >= 0 && contradict(part, other)))
  }

  valuesOf(subject: string, formula: Formula): readonly Value[] | undefined {
    if ('any' in formula) {
      const each = formula.any.map((one) => this.valuesOf(subject, one))
      return each.includes(undefined) ? undefined : [...new Set(each.flatMap((values) => values ?? []))]
    }
    if ('all' in formula) return formula.all.map((part) => this.valuesOf(subject, part)).find((values) => values)
    return formula.claim?.subject === subject && formula.claim.sign === '==' ? formula.claim.values : undefined
  }
}

function flatten(formula: Formula): Formula[] {
  return 'all' in formula ? formula.all.flatMap(flatten) : [formula]
}

function follows(first: Claim, second: Claim): boolean {
  if (first.subject !== second.subject) return false
  if (first.sign === '==') return first.values.every((value) => fits(value, second))
  if (first.sign === '!=' || second.sign === '==') return false
  const [own, other] = [must(first.values[0]), must(second.values[0])]
  if (typeof own !== typeof other) return false
  if (second.sign === '!=') return !fits(other, first)
  if (first.sign === 'startsWith' || first.sign === 'endsWith' || first.sign === 'contains') {
    if (second.sign !== first.sign && second.sign !== 'contains') return false
    return fits(own, second)
  }
  // Both limit the same side, and the first is at least as narrow.
  if (first.sign[0] !== second.sign[0]) return false
  return own === other ? first.sign === second.sign || second.sign.length === 2 : fits(own, second)
}

function contradict(one: Formula, other: Formula): boolean {
  if (!('text' in one && 'text' in other) || one.claim?.subject !== other.claim?.subject) return false
  const [first, second] = [one.claim, other.claim]
  if (!first || !second) return false
  if (first.sign === '==') return !first.values.some((value) => fits(value, second))
  if (second.sign === '==') return !second.values.some((value) => fits(value, first))
  const [own, theirs] = [must(first.values[0]), must(second.values[0])]
  if (first.sign === second.sign && (first.sign === 'startsWith' || first.sign === 'endsWith'))
    return !fits(own, second) && !fits(theirs, first)
  // The lower bound meets the upper one. Between two texts there is always another.
  const [lower, upper] = first.sign[0] === '>' ? [first, second] : [second, first]
  if (lower.sign[0] !== '>' || upper.sign[0] !== '<') return false
  const [from, to] = [must(lower.values[0]), must(upper.values[0])]
  return typeof from === typeof to && (from > to || (from === to && lower.sign.length + upper.sign.length < 4))
}

function fits(value: Value, { sign, values }: Claim): boolean {
  const [bound = ''] = values
  if (sign === '==') return values.includes(value)
  if (sign === '!=') return value !== bound
  if (typeof value !== typeof bound) return false
  if (sign === '<') return value < bound
  if (sign === '<=') return value <= bound
  if (sign === '>') return value > bound
  if (sign === '>=') return value >= bound
  return String(value)[sign === 'contains' ? 'includes' : sign](String(bound))
}
