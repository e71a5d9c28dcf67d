/** Apps of other styles than the search was made on: what is planted in them is found. careful.long.test.ts has them careful. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { needs } from '../../support/needs.ts'
import { dayOrNight } from '../../support/night.ts'

const merchants = join(import.meta.dirname, '../../merchants')
/** Many runs of an app, on a machine that may be busy. */
const LONG_MS = 900_000

/** A merchant file of a copy, with one of its mistakes or without. */
function edition(name: string, bug: string): string {
  const copy = folder()
  cpSync(join(merchants, name), copy, { recursive: true })
  const file = join(copy, 'merchant.yaml')
  const text = readFileSync(file, 'utf8').replace('command: node', `command: ${process.execPath}`)
  writeFileSync(file, text.replace('  env:\n', `  env:\n    BUG: "${bug}"\n`))
  return file
}

/** So many schedules, and never so long: every machine sees the same. */
async function explore(file: string, schedules: number, most: number) {
  const limits = ['--within', '1d', '--schedules', String(schedules), '--findings', String(most)]
  const typed = ['explore', file, '--json', ...limits]
  const { code, out, errors } = await answer(typed)
  expect(errors).toBe('')
  return { code, ...(JSON.parse(out) as { findings: { code: string; choices: object[] }[] }) }
}

/**
 * What each sort does best: its style, a mistake in it, the codes that it may be found by, and among how many findings.
 * Whoever believes callbacks also misses the second session of a request that is executed twice.
 */
const sorts = [
  { name: 'stipends', style: 'a queue and a worker', bug: 'no-answer-is-failed', found: /stale|paid_twice/, most: 1 },
  { name: 'soko', style: 'hears first, in a database', bug: 'checks-then-credits', found: /booked_twice/, most: 1 },
  ...dayOrNight(
    [],
    [
      {
        name: 'rents',
        style: 'only asks, and hears nothing',
        bug: 'failed-is-failed',
        found: /stale|paid_twice/,
        most: 1,
      },
      { name: 'tiketi', style: 'a checkout shop', bug: 'believes-callbacks', found: /believed_paid|stale/, most: 2 },
    ],
  ),
]

it.for(sorts)(
  '$name, $style, is found out to have the mistake $bug',
  { timeout: LONG_MS },
  async ({ name, bug, found, most }, context) => {
    if (!['soko', 'tiketi'].includes(name)) needs('python3', context)
    const { code, findings } = await explore(edition(name, bug), 120, most)
    expect(code).toBe(1)
    const one = findings[most - 1]
    expect(one?.code).toMatch(found)
    expect(one?.choices.length).toBeLessThanOrEqual(4)
  },
)
