/** The formats of reports, with their media types. */
import type { ReportDocument } from '../core/model/report-document.ts'

type Print = (report: ReportDocument) => Promise<string>

export const reportForms = {
  json: ['application/json', async ({ data }) => `${JSON.stringify(data, null, 2)}\n`],
  html: ['text/html', async (report) => (await import('./print/print-html.ts')).printHtml(report)],
  markdown: ['text/markdown', async (report) => (await import('./print/print-markdown.ts')).printMarkdown(report)],
  junit: ['application/xml', async (report) => (await import('./print/print-junit.ts')).printJunit(report)],
} as const satisfies Record<string, readonly [string, Print]>

export type ReportForm = keyof typeof reportForms
