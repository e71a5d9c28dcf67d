/** A run's test cases: one for each rule, finding, address of callbacks and kind of payment. */
import type { ReportCase, ReportSuite } from '../../core/model/report-document.ts'
import type { RunReport } from '../run-report.ts'

export function runSuites(report: RunReport): ReportSuite[] {
  const { title, world, mfano, seed, asOf } = report
  const suites = {
    books: booksCases(report),
    callbacks: callbackCases(report),
    payments: paymentCases(report),
    scenario: ruleCases(report),
  }
  return Object.entries(suites).map(([name, cases]) => ({
    name: `mfano ${title}: ${name}`,
    properties: { world, mfano, seed, asOf },
    cases,
  }))
}

/** The books pass where they agree; without any, nobody knows. */
function booksCases({ compared }: RunReport): ReportCase[] {
  if (!compared) return [{ name: 'books agree with the ledger', skipped: 'no books were compared' }]
  if (compared.findings.length === 0) return [{ name: 'books agree with the ledger' }]
  return compared.findings.map(({ code, reference, requestId, text }) => ({
    name: [code, reference ?? requestId].filter(Boolean).join(' '),
    failures: [{ type: code, message: text }],
  }))
}

function callbackCases({ addresses, givenUp }: RunReport): ReportCase[] {
  return addresses.map(({ url, delivered, attempts }) => ({
    name: `callbacks to ${url}`,
    failures: givenUp
      .filter((one) => one.url === url)
      .map(({ id, payment, attempts: tried, error, why }) => ({
        type: 'given_up',
        message: `callback ${id} about ${payment ?? 'no payment'} was given up after ${tried} attempts: ${[error, why].filter(Boolean).join(', because ')}`,
      })),
    output: `${delivered} delivered, ${attempts} attempts`,
  }))
}

/** A payment that fails is what the scenario wanted; one that has not ended proves nothing yet. */
function paymentCases({ outcomes }: RunReport): ReportCase[] {
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

function ruleCases({ fired }: RunReport): ReportCase[] {
  return fired.map(({ scenario, what, name, hits, why, file, line }) => ({
    name: `${scenario}: ${what} "${name}"`,
    ...(hits === 0 && { skipped: `never fired${why === null ? '' : `: ${why}`}` }),
    output: `fired ${hits} times`,
    file,
    line,
  }))
}
