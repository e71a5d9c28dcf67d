/** Lists of the control plane: flags for their filters, and the query that these come to. */
import type { CsvAsked } from '../../client/whole-csv.ts'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type Arguments, type Flag, UsageError } from './command.ts'

const LIMIT_MAX = 1000

export const limitFlag: Flag = {
  name: 'limit',
  value: 'number',
  help: 'At most so many, the newest first.',
  expected: 'a whole number from 1 to 1000',
  byDefault: '50',
}

/** A query of the flags that were given. `names` says what a flag is called on the wire, where that differs. */
export function queryOf(
  given: Arguments,
  flags: readonly string[],
  names: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const value = given.get(flag)
      // A flag that stands alone is a switch.
      return value === undefined ? [] : [[names[flag] ?? flag, value === '' ? 'true' : value]]
    }),
  )
}

/** What of a list with pages is printed as CSV: by the same filters, and without a limit unless one was typed. */
export function csvQuery(
  given: Arguments,
  flags: readonly string[],
  names: Record<string, string> = {},
): Pick<CsvAsked, 'query' | 'paged'> {
  return { paged: true, query: queryOf(given, given.has('limit') ? [...flags, 'limit'] : flags, names) }
}

/** A number that was typed. */
export function numberOf(what: string, text: string, expected: string, holds: (value: number) => boolean): number {
  const value = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value) || !holds(value))
    throw new UsageError(`${what}: expected ${expected}, got ${JSON.stringify(text)}.`)
  return value
}

/** One of a few words. */
export function oneOf<Known extends string>(what: string, text = '', known: readonly Known[]): Known {
  const found = known.find((one) => one === text)
  if (found !== undefined) return found
  throw new UsageError(`${what}: expected ${known.join(', ')}, got ${JSON.stringify(text)}.${didYouMean(text, known)}`)
}

/** An amount of money that was typed, in major units. */
export function amountOf(what: string, text: string): number {
  return numberOf(
    what,
    text.replaceAll(/[,_]/g, ''),
    'an amount greater than 0 such as 1500 or 99.50',
    (value) => value > 0,
  )
}

/** JSON that was typed: an object. */
export function objectOf(what: string, text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${what}: this is not JSON (${(error as Error).message}). Put it in single quotes.`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new UsageError(`${what}: expected a JSON object such as {"amount":1000}, got ${text.slice(0, 80)}.`)
}

/** A page that is not the last one, for those who read it. */
export function more(shown: number, total: number | null | undefined, given: Arguments): string {
  // Nobody counted them.
  if (total === null) return `the newest ${shown}; --limit ${LIMIT_MAX} shows more\n`
  if (total === undefined || total <= shown) return ''
  const limit = Math.min(LIMIT_MAX, total)
  return `${shown} of ${total}${limit > Number(given.get('limit')) ? `; --limit ${limit} shows more` : ''}\n`
}
