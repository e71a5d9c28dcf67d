/** Reads the answers of probes, in any of the published error forms. */
import { errorParts } from '../../../core/model/error-parts.ts'
import { type SeenAnswer, type Untold, untold } from './asked-by.ts'

/** The request was refused because its form is invalid. */
const OF_FORM = [400, 406, 413, 415, 422]
/** The form was valid; the request was refused for its content. */
const BEYOND_FORM = [402, 403, 404, 409, 423]

export const isRefusedForForm = ({ status }: SeenAnswer): boolean => OF_FORM.includes(status)
const passedChecks = ({ status }: SeenAnswer): boolean => BEYOND_FORM.includes(status)
export const isDone = ({ status }: SeenAnswer): boolean => status >= 200 && status < 300

function isNamed({ body }: SeenAnswer, field: string): boolean {
  if (typeof body?.errors === 'object' && body.errors !== null) return field in body.errors
  const { message, details } = errorParts(body)
  // Errors repeat sent values in quotes; those are no field names.
  const said = `${message}; ${details}`.replaceAll(/"[^"]*"/g, '')
  return new RegExp(`(?<![\\w.])${field.replaceAll('.', '\\.')}(?!\\w)`).test(said)
}

/** Whether an error lists every invalid field: a request with several must get at least two of them named. */
function namesAll(several: SeenAnswer | undefined, fields: readonly string[]): boolean {
  return several !== undefined && fields.filter((field) => isNamed(several, field)).length > 1
}

/**
 * Whether a field was refused in a request that `alsoWrong` makes invalid in any case. A field that is not listed
 * counts as accepted only if the service lists every invalid field.
 */
export function isRefused(
  asked: SeenAnswer | undefined,
  field: string,
  also: { wrong: string; several: SeenAnswer | undefined; fields: readonly string[] },
): boolean | Untold | undefined {
  if (!asked) return undefined
  // Only the wallet is left to refuse it.
  if (asked.status === 402) return false
  if (!isRefusedForForm(asked)) return undefined
  if (isNamed(asked, field)) return true
  if (!isNamed(asked, also.wrong)) return undefined
  if (namesAll(also.several, also.fields)) return false
  return untold('the service names one problem at a time, and named another')
}

export function isTaken(asked: SeenAnswer | undefined, inOrder: SeenAnswer | undefined): boolean | Untold | undefined {
  if (!asked || !inOrder) return undefined
  if (!passedChecks(inOrder))
    return untold(`a request in order that names an unknown organisation was answered ${inOrder.status}`)
  if (isRefusedForForm(asked)) return false
  return asked.status === inOrder.status ? true : undefined
}

/** Undefined stays undefined, so that an undecided answer decides nothing. */
export function either<const Yes extends string, const No extends string>(
  told: boolean | Untold | undefined,
  yes: Yes,
  no: No,
): Yes | No | Untold | undefined {
  return typeof told === 'boolean' ? (told ? yes : no) : told
}

export function byStatus<const Value extends string>(
  seen: Pick<SeenAnswer, 'status'> | undefined,
  of: Readonly<Record<number, Value>>,
): Value | undefined {
  return seen && of[seen.status]
}

// biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
export type ListedRecord = any

export function recordsOf(seen: SeenAnswer | undefined): ListedRecord[] {
  const listed = seen?.status === 200 ? (Array.isArray(seen.body) ? seen.body : seen.body?.data) : undefined
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'object' && one !== null) : []
}

/** Decodes the payload of a token, without its signature. */
export function tokenClaims(seen: SeenAnswer | undefined): ListedRecord {
  const token = seen?.body?.data?.access_token
  if (typeof token !== 'string') return undefined
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

export function stampUs(text: unknown): number | undefined {
  const parsed = typeof text === 'string' ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z?$/.exec(text) : null
  if (!parsed) return undefined
  return Date.parse(`${parsed[1]}Z`) * 1000 + Number((parsed[2] ?? '').padEnd(6, '0').slice(0, 6))
}
