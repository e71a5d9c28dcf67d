/** A run's test cases: one for each rule, finding, address of callbacks and kind of payment. */
import { failureText } from '../present.ts'
import type { ReportRun, ReportSuite } from '../report-document.ts'
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

const BOOKS = { name: 'books agree with the ledger', word: '' } as const

/** Skipped without books, because nobody knows whether they agree. */
function booksCases({ compared }: RunReport): ReportRun[] {
  if (!compared) return [{ ...BOOKS, mood: 'none', why: 'no books were compared' }]
  if (compared.findings.length === 0) return [{ ...BOOKS, mood: 'good' }]
  return compared.findings.map(({ code, reference, requestId, text }) => ({
    mood: 'bad',
    word: code,
    name: [code, reference ?? requestId].filter(Boolean).join(' '),
    why: text,
  }))
}

function callbackCases({ addresses, givenUp }: RunReport): ReportRun[] {
  return addresses.map(({ url, delivered, attempts }) => {
    const failures = givenUp
      .filter((one) => one.url === url)
      .map(({ id, payment, attempts: tried, lastAttempt }) => {
        const about = `callback ${id} about ${payment ?? 'no payment'}`
        return {
          type: 'given_up',
          message: `${about} was given up after ${tried} attempts: ${failureText(lastAttempt)}`,
        }
      })
    const output = `${delivered} delivered, ${attempts} attempts`
    return { mood: failures.length > 0 ? 'bad' : 'good', word: '', name: `callbacks to ${url}`, failures, output }
  })
}

/** A failed payment passes, because the scenario wanted it; an open one proves nothing yet. */
function paymentCases({ outcomes }: RunReport): ReportRun[] {
  return [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, mine]) => {
    const open = mine.reduce((sum, one) => sum + (one.open ? one.count : 0), 0)
    const output = mine
      .map(({ status, count, why }) => `${count} ${status}${why === null ? '' : `: ${why}`}`)
      .join('\n')
    return { mood: open > 0 ? 'none' : 'good', word: '', why: `${open} under way`, name: `payments: ${kind}`, output }
  })
}

function ruleCases({ fired }: RunReport): ReportRun[] {
  return fired.map(({ scenario, what, name, hits, why, file, line }) => ({
    mood: hits === 0 ? 'none' : 'good',
    word: '',
    name: `${scenario}: ${what} "${name}"`,
    why: `never fired${why === null ? '' : `: ${why}`}`,
    output: `fired ${hits} times`,
    file,
    line,
  }))
}
