import { withPlainTimes } from '../core/model/calendar.ts'
import { counted } from '../core/model/text.ts'
import { type Coverage, dimensions } from './coverage.ts'
import { runProblems, runVerdicts } from './report/run-lists.ts'
import { type MarkedCell, moneyAtRisk, type ReportDocument, type ReportStory } from './report-document.ts'
import type { RunReport } from './run-report.ts'

export function runDocument(report: RunReport, stories: readonly ReportStory[] = []): ReportDocument<RunReport> {
  const atRisk = moneyAtRisk(report.compared?.findings ?? [])
  const { title, verdict, run } = report
  return {
    by: 'mfano',
    title,
    verdict: { mood: runVerdicts[verdict].mood, word: runVerdicts[verdict].words, text: verdictLine(report) },
    ...(atRisk && { atRisk }),
    stories,
    lead: [countsLine(report), ...(run?.note ? [run.note] : []), whenLine(report)],
    sections: report.sections,
    paymentsAt: `${report.baseUrl}/_mfano/#/payments/`,
    facts: factsOf(report),
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

function verdictLine({ verdict, problems, counts, compared, checks }: RunReport): string {
  const { bad } = counts.payments
  if (verdict === 'empty') return 'no request came, and no payment was made.'
  const checked = [compared && 'books', checks > 0 && counted(checks, 'expectation')].filter(Boolean).join(' and ')
  const what = checked === '' ? 'neither books nor expectations were checked' : `${checked} checked`
  const found = [what, ...problems.map(({ code, count }) => runProblems[code].words(count))].join('; ')
  const failed = `${counted(bad, 'payment')} ended badly. The service may answer so: a failed payment alone fails no run.`
  return `${found}.${verdict === 'failed' || bad === 0 ? '' : ` ${failed}`}`
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
      columns: ['state', 'covered', '%', 'hit', 'of'],
      rows: parts.map(({ dimension, percent, hit, gaps: left }) => [
        markOf(
          left.length,
          tooLittle.find((one) => one.startsWith(`${dimension}:`)),
        ),
        ...[dimension, percent, hit.length, hit.length + left.length],
      ]),
      named: 1,
    },
    sections: parts.map(({ dimension, gaps: left }) => ({
      title: `Gaps: ${dimension}`,
      columns: ['gap'],
      rows: left.map((name) => [name]),
    })),
    data: coverage,
  }
}

function markOf(gaps: number, tooLittle: string | undefined): MarkedCell {
  if (tooLittle !== undefined) return { mood: 'bad', word: tooLittle }
  return gaps > 0 ? { mood: 'none', word: 'not fully exercised' } : { mood: 'good', word: 'exercised' }
}

type Print = (report: ReportDocument) => Promise<string>

export const reportForms = {
  json: ['application/json', async ({ data }) => `${JSON.stringify(data, null, 2)}\n`],
  html: ['text/html', async (report) => (await import('./report/print.ts')).printHtml(report)],
  markdown: ['text/markdown', async (report) => (await import('./report/print.ts')).printMarkdown(report)],
  junit: ['application/xml', async (report) => (await import('./report/print.ts')).printJunit(report)],
} as const satisfies Record<string, readonly [string, Print]>

export type ReportForm = keyof typeof reportForms
