/** The corpus is whole, and a few of its cases, each in the one scenario that brings its bug out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import { type Case, cases } from './cases.ts'
import { canRun, merchantFile, ranGauntlet } from './judge-case.ts'

const LONG_MS = 120_000
const folder = join(import.meta.dirname, 'cases')
const page = readFileSync(join(import.meta.dirname, '../../src/docs/corpus.md'), 'utf8')

const programs = { Node: 'app.mjs', Python: 'app.py', PHP: 'app.php' }

it('has a merchant for each of at least 24 reports, and a report for each merchant', () => {
  expect(cases.length).toBeGreaterThanOrEqual(24)
  expect(readdirSync(folder).sort()).toEqual(cases.map(({ name }) => name).sort())
  expect(new Set(cases.map(({ link }) => link)).size).toBe(cases.length)
})

it.each(cases)('has both editions of $name, a merchant file and a line in the documentation', (one) => {
  const file = merchantFile(one)
  expect(readMerchantFile(file)).toMatchObject({ name: one.name, tick: { path: '/tick' }, reset: { path: '/reset' } })
  const app = join(dirname(file), programs[one.stack])
  expect(existsSync(app)).toBe(true)
  // One file for both: what is mended is a few lines of it.
  expect(readFileSync(app, 'utf8')).toMatch(/\bmended\b|\bMENDED\b/)
  expect(one.link).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/)
  expect(page.includes(one.link)).toBe(true)
})

const quick: readonly (readonly [name: string, scenario: string])[] = [
  ['cents-cut-off', 'default'],
  ['returned-transfer-stays-paid', 'late-reversal'],
  ['webhook-status-not-read', 'stk-wrong-pin'],
]

it.each(quick)(
  'finds %s under %s, and nothing in its mended edition',
  async (name, scenario) => {
    const one = cases.find((other) => other.name === name) as Case
    if (!canRun(one)) return
    const limits = { withinMs: LONG_MS, scenarios: [scenario] }
    expect(await ranGauntlet(one, 'buggy', limits)).toMatchObject({ found: { by: scenario } })
    const { codes, unjudged } = await ranGauntlet(one, 'mended', limits)
    expect({ codes, unjudged }).toEqual({ codes: [], unjudged: undefined })
  },
  LONG_MS,
)
