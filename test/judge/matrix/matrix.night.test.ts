/** A small suite under every alternative: through the command line, as somebody runs it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { MatrixReport } from '../../../src/judge/strategies/matrix.ts'
import { answer, folder } from '../../apps/cli/support.ts'

const suite = join(import.meta.dirname, 'suite.mjs')
/** Processes beside each other, on a machine that may be busy. */
vi.setConfig({ testTimeout: 240_000 })

interface Judged extends MatrixReport {
  code: number
}

/** The one document of a matrix. `fragile`: what the suite takes for granted. */
async function matrix(fragile: string, assumptions: string[], ...more: string[]): Promise<Judged> {
  const only = assumptions.flatMap((id) => ['--assumption', id])
  const typed = ['matrix', '--json', '--env', `FRAGILE=${fragile}`, ...only, ...more, '--', process.execPath, suite]
  const { code, out, errors } = await answer(typed)
  expect(errors).toBe('')
  return { code, ...JSON.parse(out) }
}

const verdictsOf = ({ runs }: Judged) => Object.fromEntries(runs.map(({ name, verdict }) => [name, verdict]))

it('names each alternative that breaks a suite, with its question, and skips what it never touches', async () => {
  const report = await matrix('errors', ['error-body', 'list-order', 'checkout-cancel', 'unsupported-media-type'])
  expect(report).toMatchObject({ code: 1, defaults: { verdict: 'green' }, interrupted: false })
  expect(verdictsOf(report)).toEqual({
    'error-body: flat': 'breaks',
    'error-body: field-list': 'breaks',
    'list-order: newest-first': 'green',
    'checkout-cancel: fails': 'skipped',
    'unsupported-media-type: 400': 'skipped',
    'unsupported-media-type: accept': 'skipped',
  })
  const flat = report.findings.find(({ choices }) => choices[0]?.alternative === 'flat')
  expect(flat).toMatchObject({
    code: 'breaks_suite',
    choices: [{ assumption: 'error-body', alternative: 'flat' }],
    question: expect.stringContaining('?'),
  })
  expect(flat?.said).toMatch(/expected a nested error/)
})

it('narrows what only a pair breaks to that pair, and writes it down for machines', async () => {
  const junit = join(folder(), 'matrix.xml')
  const report = await matrix('both', ['error-body', 'list-order', 'list-scope'], '--junit', junit)
  expect(report.code).toBe(1)
  for (const { name, choices, verdict } of report.runs)
    if (choices.length === 1) expect([name, verdict]).toEqual([name, 'green'])
  expect(report.findings.map(({ choices }) => choices.map(({ assumption }) => assumption).sort())).toEqual(
    report.findings.map(() => ['error-body', 'list-order']),
  )
  expect(new Set(report.findings.map(({ text }) => text)).size).toBe(2)
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<failure type="breaks_suite" message="The suite is red under error-body: /,
  )
})

it('says of a suite that is red under the defaults that it is, and judges nothing', async () => {
  const report = await matrix('always', [])
  expect(report).toMatchObject({ code: 2, defaults: { verdict: 'red' }, findings: [], runs: [] })
  expect(report.defaults.said).toMatch(/red whatever comes/)
})

it('tells a person what breaks the suite', async () => {
  const typed = [
    'matrix',
    '--env',
    'FRAGILE=errors',
    '--assumption',
    'error-body',
    '--alone',
    '--',
    process.execPath,
    suite,
  ]
  const { code, out } = await answer(typed)
  expect(code).toBe(1)
  expect(out).toMatch(/^BREAKS {4}error-body: flat /m)
  expect(out).toMatch(/2 alternatives break it\.\nGreen under the defaults; 2 runs under alternatives\./)
})

it('ends with 2 where what was typed cannot be meant', async () => {
  expect(await answer(['matrix', '--assumption', 'eror-body', '--', 'true'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/did you mean "error-body"/i),
  })
})

it('runs a suite over HTTPS, which is green where only https is accepted, as one with a plain receiver is not', async () => {
  const over = async (scheme: string) => {
    const typed = ['matrix', '--json', '--tls', '--env', `SCHEME=${scheme}`, '--assumption', 'url-rules', '--']
    const { code, out } = await answer([...typed, process.execPath, join(import.meta.dirname, 'suite-https.mjs')])
    const report: MatrixReport = JSON.parse(out)
    return { code, defaults: report.defaults.verdict, runs: report.runs.map(({ name, verdict }) => [name, verdict]) }
  }
  expect(await over('https')).toEqual({ code: 0, defaults: 'green', runs: [['url-rules: https-only', 'green']] })
  expect(await over('http')).toEqual({ code: 1, defaults: 'green', runs: [['url-rules: https-only', 'breaks']] })
})

it('judges a suite with a world for each test: its worlds have the choices of the world that it was given', async () => {
  const kitSuite = join(import.meta.dirname, 'kit-suite.mjs')
  const judged = async (...typed: string[]) => {
    const { out, errors } = await answer([...typed, '--json', '--', process.execPath, '--test', kitSuite])
    expect(errors).toBe('')
    return JSON.parse(out)
  }
  const report = await judged('matrix', '--env', 'FRAGILE=1', '--assumption', 'error-body')
  expect(report.defaults).toMatchObject({ verdict: 'green' })
  expect(verdictsOf(report)).toMatchObject({ 'error-body: flat': 'breaks' })
  const mutants = await judged('mutants', '--only', 'status')
  expect(mutants.truthful).toMatchObject({ verdict: 'green' })
  expect(mutants.mutants.length).toBeGreaterThan(0)
})
