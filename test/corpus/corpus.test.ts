import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import { cases } from './cases.ts'
import { merchantFile } from './judge-case.ts'

const folder = join(import.meta.dirname, 'cases')
const page = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')

const programs = { Node: 'app.mjs', Python: 'app.py', PHP: 'app.php' }

it('has a merchant for each of at least 24 reports, and a report for each merchant', () => {
  expect(cases.length).toBeGreaterThanOrEqual(24)
  expect(readdirSync(folder).sort()).toEqual(cases.map(({ name }) => name).sort())
  expect(new Set(cases.map(({ link }) => link)).size).toBe(cases.length)
})

it.each(cases)('has both editions of $name, a merchant file and a line in the README', (one) => {
  const file = merchantFile(one)
  expect(readMerchantFile(file)).toMatchObject({ name: one.name, tick: { path: '/tick' }, reset: { path: '/reset' } })
  const app = join(dirname(file), programs[one.stack])
  expect(existsSync(app)).toBe(true)
  // One file for both: what is mended is a few lines of it.
  expect(readFileSync(app, 'utf8')).toMatch(/\bmended\b|\bMENDED\b/)
  expect(one.link).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(issues|pull)\/\d+$/)
  expect(page.includes(one.link)).toBe(true)
})
