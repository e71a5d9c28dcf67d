/** Flags that filter lists, and the query that they produce. */
import type { Control } from '../../client/control.ts'
import type { CsvAsked } from '../../client/whole-csv.ts'
import type { Arguments, Flag } from './command.ts'
import { inZoneOf } from './shown-zone.ts'

const LIMIT_MAX = 1000

export const limitFlag: Flag = {
  name: 'limit',
  value: 'number',
  help: 'The most rows to print, newest first.',
  expected: 'a whole number from 1 to 1000',
  byDefault: '50',
}

const timeFlag = (name: 'since' | 'until', help: string): Flag => ({
  ...{ name, help, value: 'time', expected: 'a time such as 2025-01-24T16:28:00' },
})

export const stretchFlags: readonly Flag[] = [
  timeFlag('since', "From this simulated time, in the scenario's zone."),
  timeFlag('until', "Up to this simulated time, in the scenario's zone."),
]

/** Values of `stretchFlags`. */
export async function stretchOf(control: Control, given: Arguments): Promise<{ since?: string; until?: string }> {
  const stretch: { since?: string; until?: string } = {}
  for (const flag of ['since', 'until'] as const) {
    const typed = given.get(flag)
    if (typed !== undefined) stretch[flag] = await inZoneOf(control, typed)
  }
  return stretch
}

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

export function csvQuery(
  given: Arguments,
  flags: readonly string[],
  names: Record<string, string> = {},
): Pick<CsvAsked, 'query'> {
  return { query: queryOf(given, given.has('limit') ? [...flags, 'limit'] : flags, names) }
}

export function more(shown: number, total: number | null | undefined, given: Arguments): string {
  // Nobody counted them.
  if (total === null) return `Newest ${shown}. Show more: --limit ${LIMIT_MAX}\n`
  if (total === undefined || total <= shown) return ''
  const limit = Math.min(LIMIT_MAX, total)
  return `${shown} of ${total}${limit > Number(given.get('limit')) ? `. Show more: --limit ${limit}` : ''}\n`
}
