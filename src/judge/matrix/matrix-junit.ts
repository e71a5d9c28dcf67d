/** A matrix as JUnit XML: a test case for the defaults, and for each run under other choices. */
import { escaped } from '../../core/model/markup.ts'
import type { MatrixReport, MatrixRun } from './matrix-report.ts'
import { nameOf } from './matrix-report.ts'

/** The whole document. */
export function matrixJunit(report: MatrixReport): string {
  const { defaults, runs } = report
  const of = (...verdicts: MatrixRun['verdict'][]) => runs.filter(({ verdict }) => verdicts.includes(verdict)).length
  const failures = of('breaks') + Number(defaults.verdict === 'red')
  const errors = of('unjudged', 'flaky') + Number(defaults.verdict === 'unjudged')
  const counts = `tests="${runs.length + 1}" failures="${failures}" errors="${errors}" skipped="${of('skipped')}"`
  const suite = escaped(report.suite)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `<testsuite name="mfano matrix: ${suite}" ${counts}>`,
    testCase(suite, 'defaults', 0, defaultsSaid(defaults)),
    ...runs.map((run) => testCase(suite, run.name, run.tookMs, saidOf(report, run))),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(suite: string, name: string, tookMs: number, said: string): string {
  return `<testcase classname="${suite}" name="${escaped(name)}" time="${tookMs / 1000}">${said}</testcase>`
}

function defaultsSaid({ verdict, said }: MatrixReport['defaults']): string {
  if (verdict === 'green') return ''
  if (verdict === 'red')
    return `<failure type="red_by_default" message="red under the defaults">${escaped(said)}</failure>`
  return `<error message="could not be judged">${escaped(said)}</error>`
}

function saidOf({ findings }: MatrixReport, { name, choices, verdict, why = '' }: MatrixRun): string {
  if (verdict === 'green') return ''
  if (verdict === 'skipped') return `<skipped message="${escaped(why)}"/>`
  if (verdict !== 'breaks') return `<error message="${verdict}">${escaped(why)}</error>`
  const finding = findings.find((one) => [nameOf(choices), why, name].includes(nameOf(one.choices)))
  return `<failure type="breaks_suite" message="${escaped(finding?.text ?? why)}">${escaped(finding?.said ?? '')}</failure>`
}
