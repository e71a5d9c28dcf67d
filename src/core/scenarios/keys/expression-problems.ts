import type { ASTNode, Environment } from '@marcbachmann/cel-js'
import { must } from '../../model/must.ts'
import { didYouMean, quote } from '../../model/problems.ts'
import { HISTORY, SENT_FIELDS, type Variable } from '../../vocabulary.ts'

export interface ExpressionProblem {
  start: number
  message: string
}

interface CelError {
  code?: string
  summary?: string
  message?: string
  range?: { start: number; end: number }
  node?: ASTNode
}

export interface KnownNames {
  subject: string
  cel: Environment
  variables: ReadonlyMap<string, Variable>
  plain: Readonly<Record<string, string>>
  elsewhere(name: string): readonly string[]
}

export function explainCelError(thrown: unknown, expression: string, environment: KnownNames): ExpressionProblem {
  const error = thrown as CelError
  const start = error.range?.start ?? 0
  const found = expression.slice(start, error.range?.end ?? start)
  const name = /: (.*)$/.exec(error.summary ?? '')?.[1] ?? ''
  switch (error.code) {
    case 'unknown_variable':
      return { start, message: unknownVariable(name, environment) }
    case 'no_such_key': {
      const owner = error.node && 'args' in error.node ? ownerOf(error.node) : undefined
      return { start, message: unknownField(name, owner, environment) }
    }
    case 'no_matching_overload':
      return noSuchCall(error.summary ?? '', start, found, environment)
    case 'no_such_overload':
      return { start, message: wrongOperands(/overload: (.*)$/.exec(error.summary ?? '')?.[1] ?? '', found) }
    case 'unexpected_token':
    case 'unexpected_character':
      return unexpected(expression, start)
    case 'unterminated_string':
      return {
        start,
        message:
          'The text that begins here has no closing quote. If it holds " #", put the whole expression in quotes.',
      }
    case 'limit_exceeded':
      return { start, message: `${error.summary}. Make several rules of it.` }
    case 'heterogeneous_list_element':
      return { start, message: `${error.summary}. A list holds things of one kind: texts in quotes, or numbers.` }
    case 'incompatible_ternary_branches':
      return { start, message: `${error.summary}. Write both numbers in one form, such as 1.0 and 2.0.` }
    case 'cannot_index_type':
      return { start, message: insideOf(error.summary ?? '') }
    case undefined:
      return { start, message: `${error.message ?? 'The expression cannot be read'}.` }
    default: {
      if (/between\(\s*$|between\([^)"']*$/.test(expression.slice(0, start))) return { start, message: BETWEEN }
      const missing = /^Expected (\w+), got (\w+)/.exec(error.summary ?? '')
      if (missing) return { start, message: `Expected ${token(missing[1])} here, found ${token(missing[2])}.` }
      return { start, message: `${(error.summary ?? error.message ?? '').replaceAll('$', '')}.` }
    }
  }
}

function insideOf(summary: string): string {
  const [, type = ''] = /type '(\w+)'/.exec(summary) ?? []
  const whole = /^(?:int|uint|double)$/.test(type) ? 'a number' : /^string$/.test(type) ? 'a text' : `one ${type}`
  return `What stands before it is ${whole}, which has no fields. Compare it as it is, such as >= 2 or == "KSH".`
}

export const BETWEEN =
  'between() needs two times of day, written out and in quotes, from 00:00 to 23:59: between("22:00", "06:00").'

const SIGNS: Record<string, string> = {
  RPAREN: '")"',
  LPAREN: '"("',
  RBRACKET: '"]"',
  RBRACE: '"}"',
  COLON: '":"',
  COMMA: '","',
  EOF: 'the end',
  IDENTIFIER: 'a name',
  IN: '"in"',
}
const token = (name: string | undefined) => SIGNS[name ?? ''] ?? (name ?? '').toLowerCase()

/**
 * Checks the argument of `has()`, because the type checker does not. `start`: offset of the call. Any depth is allowed
 * below a body.
 */
export function givenProblem(
  selected: ASTNode | undefined,
  start: number,
  environment: KnownNames,
): ExpressionProblem | undefined {
  const { variables, plain } = environment
  let node = selected
  let below = 0
  while (node?.op === '.' && node.args[0].op === '.') {
    node = node.args[0]
    below++
  }
  if (node?.op !== '.' || node.args[0].op !== 'id')
    return { start: selected?.start ?? start, message: 'has() asks for one field, as in has(request.remarks).' }
  const [of, field] = node.args
  if (plain[of.args] === 'dyn') return undefined
  const variable = variables.get(of.args)
  if (!variable) return { start: of.start, message: unknownVariable(of.args, environment) }
  if (!Object.hasOwn(variable.fields, field))
    return { start: node.pos, message: unknownField(field, of.args, environment) }
  if (below > 0 && variable.fields[field] !== 'dyn')
    return { start: node.start, message: `has() asks for one field, and ${of.args}.${field} has no fields.` }
  return undefined
}

function ownerOf(node: ASTNode): string | undefined {
  if (node.op !== '.') return undefined
  const [of] = node.args
  return of.op === 'id' ? of.args : undefined
}

function unknownVariable(name: string, { subject, variables, plain, ...environment }: KnownNames): string {
  const elsewhere = environment.elsewhere(name)
  const names = [...variables.keys()].filter((variable) => variable !== SENT_FIELDS)
  if (elsewhere.length > 0) {
    return `${quote(name)} is only known for ${elsewhere.join(' and ')}, and not for ${subject}, which knows ${names.join(', ')}. Make a rule of its own for ${elsewhere.join(' and ')}.`
  }
  const known = [...names, ...Object.keys(plain)]
  const isPlainWord = /^[A-Z][A-Z0-9_]*$/.test(name)
  const hint = isPlainWord ? ` A text has to be in quotes: "${name}".` : didYouMean(name, known)
  return `${quote(name)} is not known here. Known: ${known.join(', ')}.${hint}`
}

function unknownField(field: string, owner: string | undefined, { subject, variables }: KnownNames): string {
  const fields = Object.keys(variables.get(owner ?? '')?.fields ?? {})
  if (owner === HISTORY) return historyHint(field, variables)
  if (fields.length === 0) return `There is no field ${quote(field)} here.`
  const ofRequest = variables.has(SENT_FIELDS) && (owner === 'request' || owner === SENT_FIELDS)
  const whose = ofRequest ? `The request of ${subject}` : quote(owner ?? '')
  return `${whose} has no field ${quote(field)}. Known: ${fields.join(', ')}.${didYouMean(field, fields)}`
}

function historyHint(name: string, variables: KnownNames['variables']): string {
  const methods = variables.get(HISTORY)?.methods ?? {}
  const names = Object.keys(methods)
  const known = Object.hasOwn(methods, name)
  const { example } = must(methods[known ? name : 'failed'])
  const all = Object.values(methods).map((method) => method.example)
  const guess = known ? '' : didYouMean(name, names)
  return `${HISTORY} is asked in brackets: ${HISTORY}.${example}. Known: ${all.join(', ')}.${guess}`
}

function noSuchCall(summary: string, start: number, found: string, { variables, cel }: KnownNames): ExpressionProblem {
  const call = /for '(?:(.+)\.)?(\w+)\((.*)\)'$/.exec(summary)
  const [, receiver, written = '', types = ''] = call ?? []
  // People write a pattern as a text, and know no type of its own.
  const args = types.replace('$pattern', 'string')
  const name = written === 'matchesPattern' ? 'matches' : written
  const at = receiver === undefined ? 0 : Math.max(0, found.search(new RegExp(`\\.\\s*${name}\\s*\\(`)))
  const offset = start + at + (receiver === undefined ? 0 : (/^\.\s*/.exec(found.slice(at))?.[0].length ?? 0))
  if (receiver === `$${HISTORY}`) {
    const known = Object.hasOwn(variables.get(HISTORY)?.methods ?? {}, name)
    const wrong = known ? `${name}() of history does not take (${args}). ` : ''
    return { start: offset, message: `${wrong}${historyHint(name, variables)}` }
  }
  const functions = functionsOf(cel)
  if (!functions.includes(name)) {
    const common = ' Often used: similarity, startsWith, endsWith, contains, matches, size, has.'
    return { start: offset, message: `There is no function ${quote(name)}.${didYouMean(name, functions) || common}` }
  }
  const on = receiver === undefined ? '' : ` of a ${receiver.replace('$', '')}`
  return { start: offset, message: `${name}()${on} does not take (${args}). ${argumentHint(name, receiver, args)}` }
}

function functionsOf(cel: Environment): string[] {
  const hidden = ['matchesPattern', 'dyn', 'bind']
  const names = cel.getDefinitions().functions.map(({ name }) => name)
  return [...new Set(names)].filter((name) => !hidden.includes(name))
}

function argumentHint(name: string, receiver: string | undefined, args: string): string {
  if (receiver === undefined && ['startsWith', 'endsWith', 'contains', 'matches'].includes(name))
    return `Write it behind a text: request.remarks.${name}("…").`
  if (receiver === 'double' || receiver === 'int') return 'Only texts have it: string(…) makes a text of a number.'
  return /double|int/.test(args)
    ? 'Put the number in quotes to make it a text.'
    : 'Look at the number and the types of what is in the brackets.'
}

function wrongOperands(operands: string, found: string): string {
  const shown = quote(found)
  const [, left, sign, right] = /^(\S+) (\S+) (.+)$/.exec(operands) ?? []
  const kinds = [left, right]
  const isNumber = (type: string | undefined) => /^(int|uint|double)$/.test(type ?? '')
  if (kinds.includes('string') && kinds.some(isNumber)) {
    return `${shown} puts a text and a number together (${operands}). Put the number in quotes, or make the text a number: double(…).`
  }
  if (kinds.includes('null'))
    return `${shown} compares with null, and nothing is null here: an absent text is "", an absent number 0. Ask has(request.…).`
  const unary = /^[!-](.+)$/.exec(operands)?.[1]
  if (unary)
    return `${shown}: ${operands[0]} needs ${operands[0] === '!' ? 'a truth value' : 'a number'} and found a ${unary}.`
  if (sign === 'in' && right?.startsWith('map')) return `${shown}: look in a list, such as [1, 2].`
  if (kinds.some((type) => type === '$time' || type === 'google.protobuf.Timestamp'))
    return `${shown} cannot be worked out (${operands.replaceAll('$', '')}). Ask time.hour, time.weekday or time.date, or between("22:00", "06:00").`
  return `${shown} cannot be worked out: there is no ${operands.replaceAll('$', '')}. Both sides have to be of one kind.`
}

const WORDS_OF_OTHERS: Record<string, string> = {
  and: '&&',
  AND: '&&',
  or: '||',
  OR: '||',
  not: '!',
  NOT: '!',
  '=': '==',
  '&': '&&',
  '|': '||',
  '<>': '!=',
  '===': '==',
}

function unexpected(expression: string, start: number): ExpressionProblem {
  const rest = expression.slice(start)
  if (rest.trim() === '')
    return { start: expression.trimEnd().length, message: 'The expression ends too early: something is missing here.' }
  const found = /^(?:\w+|"[^"]*"|'[^']*'|.)/s.exec(rest)?.[0] ?? ''
  const withBefore = (/(?:==|<)$/.exec(expression.slice(0, start))?.[0] ?? '') + found
  const instead = WORDS_OF_OTHERS[withBefore] ?? WORDS_OF_OTHERS[found]
  const hint = instead ? `Write ${instead} for it.` : 'Expected an operator such as &&, ||, ==, <, or the end.'
  return { start, message: `Did not expect ${quote(found)} here. ${hint}` }
}
