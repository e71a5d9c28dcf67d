/** The files `*.night.test.ts` that a run leaves out, and what it says of the others. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { dayOf } from './night.ts'

/** CI runs each night file once in so many days. */
const DAYS_PER_ROUND = 18

export const nightDate = process.env['NIGHT_DATE'] ?? new Date().toISOString().slice(0, 10)
const files = globSync('test/**/*.night.test.ts', {
  cwd: join(import.meta.dirname, '../..'),
  exclude: ['**/node_modules'],
})
const today = files.toSorted().filter((_, i) => i % DAYS_PER_ROUND === dayOf(nightDate) % DAYS_PER_ROUND)

/** `npm test` leaves out long tests. CI leaves out night files, except today's and those that the command line names. */
export function leftOut(mode: string): string[] {
  if (mode === 'night') return []
  if (mode === 'test') return ['**/*.long.test.ts', '**/*.night.test.ts']
  return files.filter((file) => !today.includes(file) && !process.argv.includes(file))
}

export const nightNote = `Night files of NIGHT_DATE=${nightDate}: ${today.join(', ')}\n`
