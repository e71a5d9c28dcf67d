/** A report as JUnit XML: a test case for each rule, finding, address of callbacks and kind of payment. */
import { escaped } from '../../core/model/markup.ts'
import type { RunReport } from '../run-report.ts'

/** One test case; passed where it has neither. */
interface Case {
  name: string
  /** Why it failed, with its type. */
  failures?: readonly { type: string; text: string }[]
  skipped?: string
  /** What is to be known of it. */
  output?: string
  file?: string
  line?: number
}

/** The whole document. */
export function runJunit(report: RunReport): string {
  const suites = Object.entries({
    books: booksCases(report),
    callbacks: callbackCases(report),
    payments: paymentCases(report),
    scenario: ruleCases(report),
  })
  const all = suites.flatMap(([, cases]) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="mfano: ${escaped(report.title)}" ${countsOf(all)}>`,
    ...suites.filter(([, cases]) => cases.length > 0).map(([name, cases]) => suite(report, name, cases)),
    '</testsuites>',
    '',
  ].join('\n')
}

/** The books pass where they agree; without any, nobody knows. */
function booksCases({ compared }: RunReport): Case[] {
  if (!compared) return [{ name: 'books agree with the ledger', skipped: 'no books were compared' }]
  if (compared.findings.length === 0) return [{ name: 'books agree with the ledger' }]
  return compared.findings.map(({ code, reference, requestId, text }) => ({
    name: [code, reference ?? requestId].filter(Boolean).join(' '),
    failures: [{ type: code, text }],
  }))
}

function callbackCases({ addresses, givenUp }: RunReport): Case[] {
  return addresses.map(({ url, delivered, attempts }) => ({
    name: `callbacks to ${url}`,
    failures: givenUp
      .filter((one) => one.url === url)
      .map(({ id, payment, attempts: tried, error, why }) => ({
        type: 'given_up',
        text: `callback ${id} about ${payment ?? 'no payment'} was given up after ${tried} attempts: ${[error, why].filter(Boolean).join(', because ')}`,
      })),
    output: `${delivered} delivered, ${attempts} attempts`,
  }))
}

/** A payment that fails is what the scenario wanted; one that has not ended proves nothing yet. */
function paymentCases({ outcomes }: RunReport): Case[] {
  return [...new Set(outcomes.map(({ kind }) => kind))].map((kind) => {
    const mine = outcomes.filter((one) => one.kind === kind)
    const open = mine.reduce((sum, one) => sum + (one.open ? one.count : 0), 0)
    return {
      name: `payments: ${kind}`,
      ...(open > 0 && { skipped: `${open} under way` }),
      output: mine.map(({ status, count, why }) => `${count} ${status}${why === null ? '' : `: ${why}`}`).join('\n'),
    }
  })
}

function ruleCases({ fired }: RunReport): Case[] {
  return fired.map(({ scenario, what, name, hits, why, file, line }) => ({
    name: `${scenario}: ${what} "${name}"`,
    ...(hits === 0 && { skipped: `never fired${why === null ? '' : `: ${why}`}` }),
    output: `fired ${hits} times`,
    file,
    line,
  }))
}

function suite({ title, world, mfano, seed, asOf }: RunReport, name: string, cases: readonly Case[]): string {
  const known = Object.entries({ world, mfano, seed, asOf }).map(
    ([key, value]) => `<property name="${key}" value="${escaped(String(value))}"/>`,
  )
  const classname = escaped(`mfano ${title}: ${name}`)
  return [
    `<testsuite name="${classname}" ${countsOf(cases)}>`,
    `<properties>${known.join('')}</properties>`,
    ...cases.map((one) => testCase(classname, one)),
    '</testsuite>',
  ].join('\n')
}

function testCase(classname: string, { name, failures = [], skipped, output, file, line }: Case): string {
  const place = file === undefined ? '' : ` file="${escaped(file)}" line="${line}"`
  const told = [
    ...failures.map(
      ({ type, text }) => `<failure type="${escaped(type)}" message="${escaped(text)}">${escaped(text)}</failure>`,
    ),
    ...(skipped === undefined ? [] : [`<skipped message="${escaped(skipped)}"/>`]),
    ...(output === undefined ? [] : [`<system-out>${escaped(output)}</system-out>`]),
  ]
  return `<testcase classname="${classname}" name="${escaped(name)}" time="0"${place}>${told.join('')}</testcase>`
}

function countsOf(cases: readonly Case[]): string {
  const failed = cases.filter(({ failures = [] }) => failures.length > 0).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  return `tests="${cases.length}" failures="${failed}" errors="0" skipped="${skipped}" time="0"`
}
