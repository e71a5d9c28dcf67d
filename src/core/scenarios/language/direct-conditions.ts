/**
 * Evaluates simple conditions without the CEL interpreter, because most conditions only compare fields with literals.
 */
import type { ASTNode } from '@marcbachmann/cel-js'
import type { Variable } from '../../vocabulary.ts'

/** Undefined when a value has the wrong type: CEL must decide what that means. */
export type DirectCondition = (context: Context) => boolean | undefined
type Context = Readonly<Record<string, Readonly<Record<string, unknown>>>>
type Primitive = string | number | boolean

const comparisons: Readonly<Record<string, (value: Primitive, written: Primitive) => boolean>> = {
  '==': (value, written) => value === written,
  '!=': (value, written) => value !== written,
  '<': (value, written) => value < written,
  '<=': (value, written) => value <= written,
  '>': (value, written) => value > written,
  '>=': (value, written) => value >= written,
}
const textTests: Readonly<Record<string, (value: Primitive, written: Primitive) => boolean>> = {
  startsWith: (value, written) => String(value).startsWith(String(written)),
  endsWith: (value, written) => String(value).endsWith(String(written)),
}
const TYPES: Readonly<Record<string, FieldValue['type']>> = { string: 'string', double: 'number', bool: 'boolean' }

/**
 * Supports `request.amount == 403.01`, `request.phoneNumber.endsWith("000404")`, and combinations by `||` and `&&`.
 * Undefined for all else.
 */
export function directly(node: ASTNode, variables: ReadonlyMap<string, Variable>): DirectCondition | undefined {
  if (node.op === '||' || node.op === '&&') {
    const [left, right] = node.args.map((one) => directly(one, variables))
    const decides = node.op === '||'
    return (
      left &&
      right &&
      ((context) => {
        const first = left(context)
        return first === undefined || first === decides ? first : right(context)
      })
    )
  }
  if (node.op === 'rcall') {
    const [method, receiver, [written]] = node.args
    return Object.hasOwn(textTests, method) ? ofField(receiver, written, variables, textTests[method]) : undefined
  }
  const test = Object.hasOwn(comparisons, node.op) ? comparisons[node.op] : undefined
  if (!test) return undefined
  const [field, written] = node.args as ASTNode[]
  // CEL orders texts differently from JavaScript.
  const ordered = node.op.startsWith('<') || node.op.startsWith('>')
  return ordered && typeof written?.args === 'string' ? undefined : ofField(field, written, variables, test)
}

function ofField(
  field: ASTNode | undefined,
  literal: ASTNode | undefined,
  variables: ReadonlyMap<string, Variable>,
  test: ((value: Primitive, written: Primitive) => boolean) | undefined,
): DirectCondition | undefined {
  const compared = readCompared(field, literal, variables)
  if (!compared || !test) return undefined
  const { of, name, type, written } = compared
  return (context) => {
    const value = context[of]?.[name]
    return typeof value === type && isPrimitive(value) ? test(value, written) : undefined
  }
}

function readCompared(
  field: ASTNode | undefined,
  literal: ASTNode | undefined,
  variables: ReadonlyMap<string, Variable>,
): { of: string; name: string; type: FieldValue['type']; written: Primitive } | undefined {
  if (field?.op !== '.' || literal?.op !== 'value') return undefined
  const [thing, name] = field.args
  const fields = thing.op === 'id' ? variables.get(thing.args)?.fields : undefined
  const type = fields && Object.hasOwn(fields, name) ? TYPES[fields[name] ?? ''] : undefined
  // Amounts are doubles, so `1000` means `1000.0`.
  const written = typeof literal.args === 'bigint' ? Number(literal.args) : literal.args
  if (thing.op !== 'id' || type === undefined || typeof written !== type || !isPrimitive(written)) return undefined
  return { of: thing.args, name, type, written }
}

function isPrimitive(value: unknown): value is Primitive {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

export interface FieldValue {
  field: string
  type: 'string' | 'number' | 'boolean'
  value: Primitive
  isEnd: boolean
}

export function fieldValueOf(node: ASTNode, variables: ReadonlyMap<string, Variable>): FieldValue | undefined {
  const isEnd = node.op === 'rcall' && node.args[0] === 'endsWith'
  if (!isEnd && node.op !== '==') return undefined
  const [field, literal] = (isEnd ? [node.args[1], node.args[2][0]] : node.args) as ASTNode[]
  const compared = readCompared(field, literal, variables)
  if (compared?.of !== 'request' || compared.written === '') return undefined
  return { field: compared.name, type: compared.type, value: compared.written, isEnd }
}
