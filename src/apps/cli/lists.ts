/** Lists of the control plane: flags for their filters, and the query that these come to. */
import type { CsvAsked } from '../../client/whole-csv.ts'
import type { Arguments, Flag } from './command.ts'

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
): Pick<CsvAsked, 'query'> {
  return { query: queryOf(given, given.has('limit') ? [...flags, 'limit'] : flags, names) }
}

/** A page that is not the last one, for those who read it. */
export function more(shown: number, total: number | null | undefined, given: Arguments): string {
  // Nobody counted them.
  if (total === null) return `the newest ${shown}; --limit ${LIMIT_MAX} shows more\n`
  if (total === undefined || total <= shown) return ''
  const limit = Math.min(LIMIT_MAX, total)
  return `${shown} of ${total}${limit > Number(given.get('limit')) ? `; --limit ${limit} shows more` : ''}\n`
}
