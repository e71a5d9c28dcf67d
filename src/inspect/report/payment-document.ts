import { toldZone, zonedText } from '../../core/model/calendar.ts'
import { moneyText, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import { parseInstant } from '../../core/model/time.ts'
import { type Explained, sequenceOfPayments } from '../explain-payment.ts'
import { failureText } from '../present.ts'
import type { ReportDocument, ReportMood, ReportRun, ReportSuite } from '../report-document.ts'
import type { RunReport } from '../run-report.ts'

/** `baseUrl`: the world's. */
export function paymentDocument(explained: Explained, baseUrl: string): ReportDocument<Explained> {
  const { payment, timezone, story, stopped } = explained
  const { uuid, kind, status, amount, currency, referenceId, party, rule } = payment
  const at = (instant: string) => zonedText(must(parseInstant(instant)), toldZone(timezone))
  return {
    by: 'mfano payment',
    title: `${moneyText(must(toMinor(amount)), currency)} ${kind}`,
    verdict: { mood: moodOf(explained), word: status, text: stopped.why },
    lead: [],
    stories: [
      {
        title: referenceId ?? uuid,
        text: `Decided by the rule "${rule}".`,
        more: stopped.next.map((text) => ({ text: `What to do: ${text}` })),
        sequence: sequenceOfPayments([explained]),
        link: `${baseUrl}/_mfano/#/payments/${uuid}`,
      },
    ],
    sections: [
      {
        name: 'timeline',
        title: 'Timeline',
        columns: ['when', 'what', 'details'],
        rows: story.map((step) => [at(step.at), step.station, step.text]),
      },
    ],
    facts: [
      ['Payment', uuid],
      ['Reference', referenceId ?? 'none'],
      ['With', partyText(party) ?? 'nobody'],
      ['Created', at(payment.createdAt)],
      ['Time zone', timezone.name],
      ['World', baseUrl],
    ],
    data: explained,
  }
}

export function partyText(party: Explained['payment']['party']): string | null {
  return party && [party.name, party.id].filter(Boolean).join(', ')
}

function moodOf({ payment: { reason }, stopped }: Explained): ReportMood {
  if (reason !== null) return 'bad'
  return stopped.waitsFor === 'nothing' ? 'good' : 'open'
}

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
