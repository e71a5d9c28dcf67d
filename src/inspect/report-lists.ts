import { withPlainTimes } from '../core/model/calendar.ts'
import { counted } from '../core/model/text.ts'
import { type Coverage, dimensions } from './coverage.ts'
import { reasonText } from './explain/reason-of-end.ts'
import { runSuites } from './report/run-suites.ts'
import { type RunProblem, runProblems, runVerdicts } from './report/run-verdict.ts'
import {
  type Cell,
  moneyAtRisk,
  type ReportDocument,
  type ReportMood,
  type ReportSection,
  type ReportStory,
} from './report-document.ts'
import type { RunReport } from './run-report.ts'

const GAPS_BESIDE = 3

function sectionsOf(report: RunReport): ReportSection[] {
  return [...wrong(report), ...happened(report), ...inForce(report), ...exercised(report)]
}

export function runDocument(report: RunReport, stories: readonly ReportStory[] = []): ReportDocument<RunReport> {
  const atRisk = moneyAtRisk(report.compared?.findings ?? [])
  const { title, verdict, run } = report
  const { payments, requests, callbacks } = report.counts
  return {
    by: 'mfano',
    title,
    verdict: { mood: runVerdicts[verdict].mood, word: runVerdicts[verdict].words, text: verdictLine(report) },
    ...(atRisk && { atRisk }),
    stories,
    lead: [countsLine(report), ...(run?.note ? [run.note] : []), whenLine(report)],
    figures: [
      { number: payments.all, what: 'payments' },
      { number: requests.all, what: 'requests' },
      { number: requests.refused, what: 'refused' },
      { number: callbacks.delivered, what: 'callbacks delivered' },
      { number: callbacks.retried, what: 'callbacks retried' },
      { number: callbacks.failed, what: 'callbacks given up' },
    ],
    shares: [
      { mood: 'good', number: payments.well, what: 'ended well' },
      { mood: 'bad', number: payments.bad, what: 'ended badly' },
      { mood: 'open', number: payments.open, what: 'under way' },
    ],
    sections: sectionsOf(report),
    paymentsAt: `${report.baseUrl}/_mfano/#/payments/`,
    facts: factsOf(report),
    suites: runSuites(report),
    data: report,
  }
}

function factsOf({ world, baseUrl, mfano, seed, isDrawn, clock, zone, asOf }: RunReport): ReportDocument['facts'] {
  return [
    ['World', world],
    ['Address', baseUrl],
    ['mfano', mfano],
    ['Seed', seed],
    ...(isDrawn ? [['Assumptions', 'drawn by the seed'] as const] : []),
    ['Clock', clock],
    ['Time zone', zone.name],
    ['As of', withPlainTimes(asOf)],
  ]
}

function picked<Name extends string>(from: readonly Readonly<Record<Name, Cell>>[], ...names: Name[]): Cell[][] {
  return from.map((one) => names.map((name) => one[name]))
}

function partyText(party: RunReport['failed'][number]['party']): string | null {
  return party && [party.name, party.id].filter(Boolean).join(', ')
}

function failedPayments(payments: RunReport['failed']): ReportSection {
  return {
    name: 'failed',
    title: 'Payments that ended badly',
    columns: ['payment', 'reference', 'kind', 'with', 'amount', 'currency', 'status', 'reason'],
    rows: payments.map(({ uuid, referenceId, kind, party, amount, currency, status, reason }) => [
      ...[uuid, referenceId, kind, partyText(party), amount, currency, status],
      reason && reasonText(reason),
    ]),
  }
}

function wrong({ problems, compared, failed, givenUp }: RunReport): ReportSection[] {
  const findings = compared ? [...compared.findings, ...compared.warnings] : []
  return [
    {
      name: 'problems',
      title: 'Look at this first',
      isOpen: true,
      columns: ['level', 'what'],
      rows: problems.map((one) => [one.level, problemText(one)]),
    },
    {
      name: 'findings',
      title: 'Books against the ledger',
      ...(compared && { note: `Compared at ${compared.at}. mfano explain PAYMENT shows what happened to one.` }),
      columns: ['level', 'code', 'reference', 'payment', 'what'],
      rows: findings.map((one) => [one.level, one.code, one.reference ?? null, one.requestId ?? null, one.text]),
      none: compared ? 'They agree.' : 'No books were compared: mfano reconcile compares them.',
    },
    failedPayments(failed),
    {
      name: 'given-up',
      title: 'Callbacks that nobody took',
      columns: ['callback', 'payment', 'reference', 'to', 'attempts', 'the last one', 'why', 'what to do'],
      rows: givenUp.map(({ id, payment, about, url, attempts, lastAttempt }) => {
        const { error = null, diagnosis } = lastAttempt ?? {}
        return [
          ...[id, payment, about?.referenceId ?? null, url, attempts],
          ...[error, diagnosis?.why ?? null, diagnosis?.todo ?? null],
        ]
      }),
    },
  ]
}

function happened({ outcomes, refusals, addresses }: RunReport): ReportSection[] {
  return [
    {
      name: 'outcomes',
      title: 'Payments by kind, end and reason',
      isOpen: true,
      columns: ['kind', 'status', 'payments', 'amount', 'currency', 'code', 'why'],
      rows: picked(outcomes, 'kind', 'status', 'count', 'amount', 'currency', 'code', 'why'),
      none: 'No payment was made.',
    },
    {
      name: 'refusals',
      title: 'Requests that were refused',
      columns: ['operation', 'status', 'code', 'requests', 'rule', 'the first said', 'request'],
      rows: picked(refusals, 'operation', 'status', 'code', 'count', 'rule', 'says', 'requestId'),
    },
    {
      name: 'callbacks',
      title: 'Callbacks by address',
      columns: ['to', 'callbacks', 'delivered', 'given up', 'attempts'],
      rows: picked(addresses, 'url', 'callbacks', 'delivered', 'givenUp', 'attempts'),
    },
  ]
}

function inForce({ scenarios, fired }: RunReport): ReportSection[] {
  const assumptions = scenarios.flatMap(({ scenario, assumptions: changed }) =>
    changed.map((one) => [scenario, one.id, one.value, one.default, one.question]),
  )
  return [
    {
      name: 'scenarios',
      title: 'Scenarios in force',
      columns: ['scenario', 'since', 'until', 'seed'],
      rows: scenarios.map((one) => [one.scenario, one.since ?? 'the beginning', one.until, one.seed]),
    },
    {
      name: 'rules',
      title: 'Rules and faults, and how often they fired',
      columns: ['scenario', 'what', 'name', 'hits', 'why not', 'file', 'line'],
      rows: picked(fired, 'scenario', 'what', 'name', 'hits', 'why', 'file', 'line'),
    },
    {
      name: 'assumptions',
      title: 'Assumptions that are not at their default',
      columns: ['scenario', 'assumption', 'value', 'default', 'question'],
      rows: assumptions.filter((row, i) => assumptions.findIndex((one) => String(one) === String(row)) === i),
    },
  ]
}

function exercised({ operations, coverage }: RunReport): ReportSection[] {
  return [
    {
      name: 'operations',
      title: 'Operations that were asked',
      columns: ['operation', 'requests', 'refused'],
      rows: operations.map((one) => [one.operation ?? 'none', one.count, one.refused]),
    },
    {
      name: 'coverage',
      title: 'Exercised',
      columns: ['of', '%', 'exercised', 'not yet', 'such as'],
      rows: dimensions.map((dimension) => {
        const { percent, hit, gaps } = coverage[dimension]
        return [dimension, percent, hit.length, gaps.length, gaps.slice(0, GAPS_BESIDE).join(', ')]
      }),
    },
  ]
}

function verdictLine({ verdict, problems, counts, compared, checks }: RunReport): string {
  const { bad } = counts.payments
  if (verdict === 'empty') return 'no request came, and no payment was made.'
  const checked = [compared && 'books', checks > 0 && counted(checks, 'expectation')].filter(Boolean).join(' and ')
  const what = checked === '' ? 'neither books nor expectations were checked' : `${checked} checked`
  const found = [what, ...problems.map(problemText)].join('; ')
  const failed = `${counted(bad, 'payment')} ended badly. The service may answer so: a failed payment alone fails no run.`
  return `${found}.${verdict === 'failed' || bad === 0 ? '' : ` ${failed}`}`
}

function problemText({ code, count }: RunProblem): string {
  return runProblems[code].words(count)
}

function countsLine({ counts: { payments, requests, callbacks } }: RunReport): string {
  return `${[
    counted(payments.all, 'payment') +
      parts([payments.well, 'ended well'], [payments.bad, 'ended badly'], [payments.open, 'under way']),
    counted(requests.all, 'request') + parts([requests.refused, 'refused']),
    counted(callbacks.all, 'callback') +
      parts(
        [callbacks.delivered, 'delivered'],
        [callbacks.retried, 'retried'],
        [callbacks.failed, 'given up'],
        [callbacks.dropped, 'kept back on purpose'],
        [callbacks.pending + callbacks.held, 'on their way'],
      ),
  ].join(', ')}.`
}

function whenLine({ run, from, until, world, asOf }: RunReport): string {
  const of = run ? `Run "${run.name}" in the world ${world}` : `The world ${world} since its beginning`
  const end = until === null ? (run ? ', and goes on' : '') : ` to ${withPlainTimes(until)}`
  return `${of}: from ${withPlainTimes(from)}${end}. As of ${withPlainTimes(asOf)}.`
}

function parts(...of: [number: number, what: string][]): string {
  const told = of.filter(([number]) => number > 0).map(([number, what]) => `${number.toLocaleString('en')} ${what}`)
  return told.length === 0 ? '' : ` (${told.join(', ')})`
}

const GOOD = 80
const FAIR = 40

/** `tooLittle`: what is less than was wanted, in words. `title`: the world, or the files. */
export function coverageDocument(
  coverage: Coverage,
  { title, tooLittle }: { title: string; tooLittle: readonly string[] },
): ReportDocument<Coverage> {
  const parts = dimensions.map((dimension) => ({ dimension, ...coverage[dimension] }))
  return {
    by: 'mfano coverage',
    title,
    verdict: {
      mood: tooLittle.length > 0 ? 'bad' : 'good',
      text: parts.map(({ dimension, percent }) => `${dimension} ${percent}%`).join(', '),
    },
    lead: tooLittle,
    scorecard: {
      title: 'Scorecard',
      columns: ['covered', '%', 'hit', 'of'],
      rows: parts.map(({ dimension, percent, hit, gaps: left }) => [
        { mood: moodOf(percent), word: dimension },
        ...[percent, hit.length, hit.length + left.length],
      ]),
    },
    sections: parts.map(({ dimension, gaps: left }) => ({
      title: `Gaps: ${dimension}`,
      columns: ['gap'],
      rows: left.map((name) => [name]),
    })),
    suites: [
      {
        ...{ name: `mfano coverage: ${title}`, classname: title },
        cases: parts.map(({ dimension, gaps: left }) => {
          const why = tooLittle.find((one) => one.startsWith(`${dimension}:`))
          return {
            mood: why !== undefined ? 'bad' : left.length > 0 ? 'none' : 'good',
            word: left.length > 0 ? 'not fully exercised' : 'exercised',
            name: left.length > 0 ? `${dimension} (${counted(left.length, 'gap')})` : dimension,
            ...(why !== undefined && { why }),
          }
        }),
      },
    ],
    data: coverage,
  }
}

function moodOf(percent: number): ReportMood {
  return percent >= GOOD ? 'good' : percent >= FAIR ? 'open' : 'bad'
}

type Print = (report: ReportDocument) => Promise<string>

export const reportForms = {
  json: ['application/json', async ({ data }) => `${JSON.stringify(data, null, 2)}\n`],
  html: ['text/html', async (report) => (await import('./report/print.ts')).printHtml(report)],
  markdown: ['text/markdown', async (report) => (await import('./report/print.ts')).printMarkdown(report)],
  junit: ['application/xml', async (report) => (await import('./report/print.ts')).printJunit(report)],
} as const satisfies Record<string, readonly [string, Print]>

export type ReportForm = keyof typeof reportForms
