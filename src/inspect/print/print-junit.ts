/** A report as JUnit XML. */
import { escaped } from '../../core/model/markup.ts'
import type { ReportCase, ReportDocument, ReportSuite } from '../../core/model/report-document.ts'

/** The whole document. Suites without cases are left out. */
export function printJunit({ by, title, suites }: ReportDocument): string {
  const all = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(all)} name="${escaped(`${by}: ${title}`)}">`,
    ...suites.filter(({ cases }) => cases.length > 0).map(suiteXml),
    '</testsuites>',
    '',
  ].join('\n')
}

function suiteXml({ name, classname = name, properties, cases }: ReportSuite): string {
  const known = Object.entries(properties ?? {}).map(
    ([key, value]) => `<property name="${escaped(key)}" value="${escaped(String(value))}"/>`,
  )
  return [
    `<testsuite name="${escaped(name)}" ${countsOf(cases)}>`,
    ...(known.length > 0 ? [`<properties>${known.join('')}</properties>`] : []),
    ...cases.map((one) => caseXml(classname, one)),
    '</testsuite>',
  ].join('\n')
}

function caseXml(classname: string, one: ReportCase): string {
  const { name, tookMs = 0, failures = [], error, skipped, output, file, line } = one
  const place = file === undefined ? '' : ` file="${escaped(file)}" line="${line}"`
  const told = [
    ...failures.map(
      ({ type, message, text = message }) =>
        `<failure type="${escaped(type)}" message="${escaped(message)}">${escaped(text)}</failure>`,
    ),
    ...(error ? [`<error message="${escaped(error.message)}">${escaped(error.text)}</error>`] : []),
    ...(skipped === undefined ? [] : [`<skipped message="${escaped(skipped)}"/>`]),
    ...(output === undefined ? [] : [`<system-out>${escaped(output)}</system-out>`]),
  ]
  return `<testcase classname="${escaped(classname)}" name="${escaped(name)}" time="${tookMs / 1000}"${place}>${told.join('')}</testcase>`
}

function countsOf(cases: readonly ReportCase[]): string {
  const those = (are: (one: ReportCase) => boolean) => cases.filter(are).length
  const failed = those(({ failures = [] }) => failures.length > 0)
  const tookMs = cases.reduce((sum, one) => sum + (one.tookMs ?? 0), 0)
  return `tests="${cases.length}" failures="${failed}" errors="${those(({ error }) => error !== undefined)}" skipped="${those(({ skipped }) => skipped !== undefined)}" time="${tookMs / 1000}"`
}
