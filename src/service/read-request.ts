/** How the parts of a request are read: by their schemas, and as the choices in force have it. */
import { z } from 'zod'
import { validate } from '../http/validate.ts'
import { type FieldProblem, Refusal } from '../model/refusal.ts'
import { requestAssumptions } from './assumed/requests.ts'
import type { Chosen } from './assumptions.ts'
import { loosened } from './loosen.ts'
import { assumptionOf, within } from './within.ts'

const usual = Object.entries(requestAssumptions).map(([id, { alternatives }]) => [id, alternatives[0]] as const)

/** Checks what was sent; throws the refusal that names everything that is wrong with it. */
export function readRequest<T>(schema: z.ZodType<T>, sent: unknown, chosen: Chosen): T {
  if (isUsual(chosen)) return validate(schema, sent)
  const problems: FieldProblem[] = []
  const meant = asMeant(schema, sent, chosen, (field, message) => problems.push({ field, message }))
  let read: T | undefined
  let refusal: Refusal | undefined
  try {
    read = validate(loosened(schema, chosen), meant)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refusal = error
  }
  if (!refusal && problems.length === 0) return read as T
  throw worded(problems, refusal, chosen)
}

/** Asked of each request, while the choices in force are the same for many. */
const judged = new WeakMap<Chosen, boolean>()

function isUsual(chosen: Chosen): boolean {
  let is = judged.get(chosen)
  if (is === undefined) {
    is = usual.every(([id, choice]) => chosen[id as keyof Chosen] === choice)
    judged.set(chosen, is)
  }
  return is
}

/** Refuses fields or parameters that nothing reads, where the choices say so. */
export function refuseUnknown(names: readonly string[], choice: 'ignore' | 'refuse'): void {
  if (choice === 'ignore' || names.length === 0) return
  throw new Refusal('REQ_INVALID_FIELD', names.map((name) => `${name}: is not known here`).join('; '), {
    fields: names.map((name) => ({
      field: name.replace(/^\?/, ''),
      message: `${name.replace(/^\?/, '')} is not known`,
    })),
  })
}

/** All that is wrong, in one refusal. */
function worded(problems: FieldProblem[], refusal: Refusal | undefined, chosen: Chosen): Refusal {
  const own = problems.map(({ field, message }) => `${field}: ${message}`)
  const fields = [
    ...(refusal?.fields ?? []),
    ...problems.map(({ field, message }) => ({ field, message: `${field} ${message}` })),
  ]
  const missing = fields.filter(({ message }) => message.endsWith(' is required')).length
  const isMissing = {
    'missing-if-all-are': missing === fields.length,
    'missing-if-any-is': missing > 0,
    invalid: false,
  }[chosen['missing-code']]
  return new Refusal(
    isMissing ? 'REQ_MISSING_FIELD' : 'REQ_INVALID_FIELD',
    [...(refusal ? [refusal.details] : []), ...own].join('; '),
    { fields },
  )
}

type Tell = (field: string, message: string) => void

/** What was sent, in the forms that the choices accept for it. Tells what they do not. */
function asMeant(schema: z.ZodType, sent: unknown, chosen: Chosen, tell: Tell, at = ''): unknown {
  const { type, optional } = within(schema)
  if (!(type instanceof z.ZodObject)) return leafAsMeant(schema, type, optional, sent, chosen, (why) => tell(at, why))
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
  const meant: Record<string, unknown> = { ...sent }
  for (const [name, inner] of Object.entries(type.shape as Record<string, z.ZodType>)) {
    if (!Object.hasOwn(meant, name)) continue
    const value = asMeant(inner, meant[name], chosen, tell, at === '' ? name : `${at}.${name}`)
    if (value === undefined) delete meant[name]
    else meant[name] = value
  }
  return meant
}

function leafAsMeant(
  schema: z.ZodType,
  type: z.ZodType,
  optional: boolean,
  sent: unknown,
  chosen: Chosen,
  tell: (why: string) => void,
): unknown {
  const isText = type instanceof z.ZodString || type instanceof z.ZodEmail || type instanceof z.ZodEnum
  const isNumber = type instanceof z.ZodNumber
  if (sent === null && optional && chosen['null-fields'] === 'refuse') {
    tell('must not be null')
    return undefined
  }
  if (typeof sent === 'string' && sent.trim() === '' && isText && chosen['blank-text'] === 'absent') return undefined
  const value = chosen['number-forms'] === 'convert' ? converted(sent, isText, isNumber) : sent
  if (typeof value === 'number' && assumptionOf(schema, 'multipleOf') === 'decimals')
    return inCents(value, chosen.decimals)
  const https = chosen['url-rules'] === 'https-only' && assumptionOf(schema, 'pattern') === 'url-rules'
  if (https && typeof value === 'string' && /^http:/i.test(value)) tell('must be an https URL')
  return value
}

function converted(sent: unknown, isText: boolean, isNumber: boolean): unknown {
  if (isNumber && typeof sent === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(sent)) return Number(sent)
  return isText && typeof sent === 'number' ? String(sent) : sent
}

/** Works on the shortest decimal text of the number, as the check of amounts does. */
function inCents(amount: number, choice: Chosen['decimals']): number {
  const [, whole, cents, more] = /^(\d{1,12})\.(\d\d)(\d+)$/.exec(String(amount)) ?? []
  if (choice === 'refuse' || whole === undefined || cents === undefined || more === undefined) return amount
  const up = choice === 'round' && more >= '5' ? 1 : 0
  return (Number(whole + cents) + up) / 100
}
