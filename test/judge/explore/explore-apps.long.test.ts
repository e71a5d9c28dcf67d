/** Apps of other styles than the search was made on: what is planted in them is found, and nothing in the careful editions. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { needs } from '../../support/needs.ts'

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
  { name: 'rents', style: 'only asks, and hears nothing', bug: 'failed-is-failed', found: /stale|paid_twice/, most: 1 },
  { name: 'soko', style: 'hears first, in a database', bug: 'checks-then-credits', found: /booked_twice/, most: 1 },
  { name: 'tiketi', style: 'a checkout shop', bug: 'believes-callbacks', found: /believed_paid|stale/, most: 2 },
]

describe.each(sorts)('$name: $style', ({ name, bug, found, most }) => {
  beforeEach((context) => {
    if (!['soko', 'tiketi'].includes(name)) needs('python3', context)
  })

  it(
    `is found out to have the mistake ${bug}`,
    async () => {
      const { code, findings } = await explore(edition(name, bug), 120, most)
      expect(code).toBe(1)
      const one = findings[most - 1]
      expect(one?.code).toMatch(found)
      expect(one?.choices.length).toBeLessThanOrEqual(4)
    },
    LONG_MS,
  )

  it(
    'is not blamed for anything where it is careful',
    async () => {
      expect(await explore(edition(name, ''), 40, 1)).toMatchObject({ code: 0, findings: [], unstable: [] })
    },
    LONG_MS,
  )
})
