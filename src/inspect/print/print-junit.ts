/** Prints a report as JUnit XML. */
import { escaped } from '../../core/model/text.ts'
import type { ReportDocument, ReportRun, ReportSuite } from '../report-document.ts'

/** Leaves out suites without cases. */
export function printJunit({ by, title, runs = [], suites }: ReportDocument): string {
  const name = `${by}: ${title}`
  const all = (suites ?? [{ name, classname: title, cases: runs }]).filter(({ cases }) => cases.length > 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${countsOf(all.flatMap(({ cases }) => cases))} name="${escaped(name)}">`,
    ...all.map(suiteXml),
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

function caseXml(classname: string, { name, tookMs = 0, output, file, line, ...came }: ReportRun): string {
  const place = file === undefined ? '' : ` file="${escaped(file)}" line="${line}"`
  const said = output === undefined ? '' : `<system-out>${escaped(output)}</system-out>`
  return `<testcase classname="${escaped(classname)}" name="${escaped(name)}" time="${tookMs / 1000}"${place}>${outcomeXml(came)}${said}</testcase>`
}

function outcomeXml({ mood, word, why = word, failures }: Omit<ReportRun, 'name'>): string {
  if (mood === 'good') return ''
  if (mood === 'none') return `<skipped message="${escaped(why)}"/>`
  if (mood === 'open') return `<error message="${escaped(word)}">${escaped(why)}</error>`
  return (failures ?? [{ type: word, message: why }])
    .map(
      ({ type, message, text = message }) =>
        `<failure type="${escaped(type)}" message="${escaped(message)}">${escaped(text)}</failure>`,
    )
    .join('')
}

function countsOf(cases: readonly ReportRun[]): string {
  const those = (wanted: ReportRun['mood']) => cases.filter(({ mood }) => mood === wanted).length
  const tookMs = cases.reduce((sum, one) => sum + (one.tookMs ?? 0), 0)
  return `tests="${cases.length}" failures="${those('bad')}" errors="${those('open')}" skipped="${those('none')}" time="${tookMs / 1000}"`
}
