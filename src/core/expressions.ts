import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { parseTimeOfDay } from './model/calendar.ts'
import type { Kind, Kinds, Libraries } from './model/kind.ts'
import { isSecretHeader } from './model/mask.ts'
import { madeOnce } from './model/must.ts'
import { didYouMean, quote } from './model/problems.ts'
import { parseDuration } from './model/time.ts'
import { type PaymentHistory, pastMethods } from './scenarios/decisions/payment-facts.ts'
import {
  BETWEEN,
  type ExpressionProblem,
  explainCelError,
  givenProblem,
  type KnownNames,
} from './scenarios/keys/expression-problems.ts'
import { between } from './scenarios/keys/hours.ts'
import { LARGEST_PATTERNS, Pattern, readPattern } from './scenarios/keys/patterns.ts'
import { similarity } from './scenarios/keys/similarity.ts'
import { HISTORY, kindsThatKnow, SENT_FIELDS, type Variable, vocabularyOf } from './vocabulary.ts'

export type Condition = (context: object) => boolean

export interface ConditionEnvironment extends KnownNames {
  libraries: Libraries
  words: KnownValues
}

/** They could run for ever, over values that grow. A list is asked with `in`. */
const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter', 'bind']

const LIMITS = { maxAstNodes: 500, maxDepth: 32, maxListElements: 200, maxMapEntries: 50, maxCallArguments: 8 }

export const environmentOfKind = madeOnce(
  (kind: Kind, kinds: Kinds, libraries: Libraries): ConditionEnvironment =>
    buildEnvironment(libraries, [...vocabularyOf(kind).values()], {
      subject: kind.phrase,
      elsewhere: (name) => kindsThatKnow(name, kinds),
    }),
)

export const plainOfRules = { now: 'google.protobuf.Timestamp', nth: 'int', headers: 'map<string, string>' }

export const CONDITIONS_PAGE = 'All that conditions can ask: the page docs/conditions of a running mfano.'

export function buildEnvironment(
  libraries: Libraries,
  list: readonly Variable[],
  {
    subject = 'question',
    plain = plainOfRules,
    elsewhere = () => [],
  }: Partial<Pick<ConditionEnvironment, 'subject' | 'plain' | 'elsewhere'>>,
): ConditionEnvironment {
  const variables = new Map(list.map((variable) => [variable.name, variable]))
  const cel = new (libraries.cel().Environment)({ limits: LIMITS })
  for (const { name, fields, create } of variables.values()) {
    // A type of CEL is a name; the dollar keeps it apart from anything that an expression can write.
    cel.registerType(`$${name}`, { ctor: create, fields: { ...fields } })
    cel.registerVariable(name, `$${name}`)
  }
  for (const [name, type] of Object.entries(plain)) cel.registerVariable(name, type)
  cel.registerFunction('similarity(string, string): double', similarity)
  cel.registerType('$pattern', { ctor: Pattern, fields: {} })
  cel.registerFunction({
    name: 'matchesPattern',
    receiverType: 'string',
    params: [{ name: 'pattern', type: '$pattern' }],
    returnType: 'bool',
    handler: (text: string, pattern: Pattern) => pattern.test(text),
  })
  if (variables.has('time'))
    cel.registerFunction({
      name: 'between',
      params: ['string', 'string', '$time'].map((type, i) => ({ name: `p${i}`, type })),
      returnType: 'bool',
      handler: between,
    })
  for (const [name, { takes, gives, ask }] of Object.entries(variables.get(HISTORY)?.methods ?? {})) {
    const params = takes.map((param) => ({ name: param, type: 'string' }))
    const handler = ({ history }: PaymentHistory, ...given: string[]) => ask(history, ...given)
    cel.registerFunction({ name, receiverType: `$${HISTORY}`, params, returnType: gives, handler })
  }
  registerMixedNumbers(cel)
  const words = list.flatMap(({ name, words = {} }) =>
    Object.entries(words).map(([field, known]) => [`${name}.${field}`, known] as const),
  )
  return { subject, libraries, cel, variables, plain, words: Object.fromEntries(words), elsewhere }
}

/** Amounts are doubles and `1000` is an int; people mean the same number by `17`, `17.0` and `17u`. */
function registerMixedNumbers(cel: Environment): void {
  type Numeric = number | bigint
  const calculations = {
    '+': (a: Numeric, b: Numeric) => Number(a) + Number(b),
    '-': (a: Numeric, b: Numeric) => Number(a) - Number(b),
    '*': (a: Numeric, b: Numeric) => Number(a) * Number(b),
    '/': (a: Numeric, b: Numeric) => Number(a) / Number(b),
    '%': (a: Numeric, b: Numeric) => Number(a) % Number(b),
  }
  const among = (value: Numeric, list: Iterable<Numeric>) => {
    for (const item of list) if (Number(item) === Number(value)) return true
    return false
  }
  cel.registerOperator('double % double', calculations['%'])
  // Equality is registered for both orders at once, and `!=` with it.
  for (const whole of ['int', 'uint']) {
    cel.registerOperator(`double == ${whole}: bool`, (a: Numeric, b: Numeric) => Number(a) === Number(b))
    for (const [left, right] of [
      ['double', whole],
      [whole, 'double'],
    ]) {
      for (const [sign, handler] of Object.entries(calculations)) {
        cel.registerOperator(`${left} ${sign} ${right}: double`, handler)
      }
    }
    cel
      .registerOperator(`${whole} in list<double>: bool`, among)
      .registerOperator(`double in list<${whole}>: bool`, among)
  }
  cel.registerOperator('int == uint: bool', (a: Numeric, b: Numeric) => Number(a) === Number(b))
}

export type Compiled =
  | { condition: Condition; problem?: undefined }
  | { problem: ExpressionProblem; condition?: undefined }

export function compileIn(expression: string, environment: ConditionEnvironment): Compiled {
  const { cel } = environment
  let parsed: ReturnType<Environment['parse']>
  const explain = (error: unknown) => explainCelError(error, expression, environment)
  try {
    parsed = cel.parse(expression)
  } catch (error) {
    return { problem: explain(error) }
  }
  const problem =
    prepare(parsed.ast, environment, { left: LARGEST_PATTERNS }) ?? wordProblem(parsed.ast, environment.words)
  if (problem) return { problem }
  const checked = parsed.check()
  if (!checked.valid) return { problem: explain(checked.error) }
  if (checked.type !== 'bool' && checked.type !== 'dyn') {
    return {
      problem: {
        start: 0,
        message: `The condition gives a ${checked.type?.replaceAll('$', '')}. Expected true or false: compare it with something.`,
      },
    }
  }
  const condition = (context: object) => {
    const value: unknown = parsed(context)
    if (typeof value !== 'boolean') throw new TypeError('the condition gave neither true nor false')
    return value
  }
  return { condition }
}

/** A number as written, with or without a sign; otherwise undefined. */
function literal(node: ASTNode): ASTNode | undefined {
  if (node.op === '-_') return literal(node.args)
  return node.op === 'value' ? node : undefined
}

/** Makes all numbers of a list doubles, as amounts are, so that `[1, 2.5]` has one type. */
function makeDoubles(items: ASTNode[]): void {
  for (const item of items) {
    const number = literal(item)
    const value = number?.args
    if (number && (typeof value === 'bigint' || (typeof value === 'object' && typeof value?.valueOf() === 'bigint')))
      Object.assign(number, { args: Number(value) })
  }
}

/**
 * Checks what the type checker does not: fields inside `has()`, patterns of `matches()`, loops. Points `has(request.x)`
 * at the request without defaults, and replaces the pattern of `matches()` by one that is compiled once; therefore it
 * runs before the type check.
 */
function prepare(
  node: ASTNode,
  environment: ConditionEnvironment,
  patternSize: { left: number },
): ExpressionProblem | undefined {
  const { variables, libraries } = environment
  if (node.op === 'call' && node.args[0] === 'has') {
    const [selected] = node.args[1]
    const problem = givenProblem(selected, node.start, environment)
    if (problem) return problem
    const of = selected?.op === '.' ? selected.args[0] : undefined
    if (of?.op === 'id' && of.args === 'request' && variables.has(SENT_FIELDS)) Object.assign(of, { args: SENT_FIELDS })
    return undefined
  }
  if (node.op === 'call' && node.args[0] === 'between' && variables.has('time')) {
    const [, args] = node.args
    const wrong =
      args.length === 2
        ? args.find(({ args: time }) => typeof time !== 'string' || parseTimeOfDay(time) === undefined)
        : node
    if (wrong) return { start: wrong.start, message: BETWEEN }
    args.push(libraries.cel().parse('time').ast)
    return undefined
  }
  if (variables.has('request') && 'headers' in environment.plain) {
    if ((node.op === '.' || node.op === '[]') && isHeaders(node.args[0])) return headerProblem(node.args[1], node.start)
    if (isHeaders(node)) return headerProblem(undefined, node.start)
  }
  if (node.op === 'in' && node.args[1].op === 'list') {
    if (node.args[1].args.length === 0)
      return { start: node.args[1].start, message: 'Nothing is in an empty list. Write what is looked for.' }
    makeDoubles(node.args[1].args)
  }
  if (node.op === 'list' && node.args.some((item) => typeof literal(item)?.args === 'number')) makeDoubles(node.args)
  if (node.op === 'rcall') {
    const [method, receiver, args] = node.args
    const problem = receiver.op === 'id' && receiver.args === HISTORY ? lengthProblem(method, args) : undefined
    if (problem) return problem
    if (method === 'matches') {
      const [written] = args
      if (written?.op !== 'value' || typeof written.args !== 'string') {
        return {
          start: written?.start ?? node.start,
          message: 'matches() needs its pattern written out as a text, so that it can be checked.',
        }
      }
      const { pattern, problem } = readPattern(written.args, libraries)
      if (!pattern) return { start: written.start, message: `matches(): ${problem}.` }
      patternSize.left -= pattern.size
      if (patternSize.left < 0)
        return { start: written.start, message: 'The patterns are too large together. Make several rules of it.' }
      Object.assign(written, { args: pattern })
      Object.assign(node, { args: ['matchesPattern', receiver, args] })
    }
    if (LOOPS.includes(method)) {
      const message = `Conditions have no loops such as ${method}(). Look in a list with "in": "CARD" in request.paymentMethods.`
      return { start: node.start, message }
    }
  }
  for (const child of childrenOf(node)) {
    const problem = prepare(child, environment, patternSize)
    if (problem) return problem
  }
  return undefined
}

function isHeaders({ op, args }: ASTNode): boolean {
  return op === 'id' && args === 'headers'
}

/** Named in the condition, so that a request keeps only what is asked for. */
function headerProblem(written: ASTNode | string | undefined, start: number): ExpressionProblem | undefined {
  const name = typeof written === 'object' && written.op === 'value' ? written.args : written
  if (typeof name !== 'string')
    return { start, message: 'A header is read by its name. Write headers["x-tenant"]; an absent one is "".' }
  if (!isSecretHeader(name)) return undefined
  return { start, message: `The header ${name} holds a secret, and conditions cannot read it. Use organisation.` }
}

/** Names of the request headers that conditions read, in the spelling of the conditions. */
export function headersIn(conditions: readonly (string | undefined)[]): string[] {
  const read = /\bheaders\s*(?:\.\s*(\w+)|\[\s*(?:"([^"]+)"|'([^']+)')\s*\])/g
  const names = conditions.flatMap((when = '') => [...when.matchAll(read)].map(([, a, b, c]) => a ?? b ?? c ?? ''))
  return [...new Set(names)].filter((name) => !isSecretHeader(name))
}

function lengthProblem(method: string, [length]: readonly ASTNode[]): ExpressionProblem | undefined {
  const about = Object.hasOwn(pastMethods, method) ? pastMethods[method] : undefined
  if (!length || about?.takes[0] !== 'length') return undefined
  if (typeof length.args === 'string' && (parseDuration(length.args) ?? 0) > 0) return undefined
  const message = 'Expected a length of simulated time, written out: "24h", "90m" or "7d".'
  return { start: length.start, message }
}

// Comparisons of fields that have a fixed list of values: with any other value a condition never holds.

export type KnownValues = Readonly<Record<string, readonly string[]>>

const LISTED = 20

export function wordProblem(node: ASTNode, words: KnownValues): ExpressionProblem | undefined {
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

function neverHas(field: ASTNode, against: ASTNode, words: KnownValues): ExpressionProblem | undefined {
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
