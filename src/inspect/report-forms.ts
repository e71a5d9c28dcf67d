/** The forms that a report is printed in. */
import type { ReportDocument } from '../core/model/report-document.ts'

/** Prints a report. What printing takes is loaded when somebody asks for it. */
type Print = (report: ReportDocument) => Promise<string>

/** Each form by its name, with its media type. */
export const reportForms = {
  json: ['application/json', async ({ data }) => `${JSON.stringify(data, null, 2)}\n`],
  html: ['text/html', async (report) => (await import('./print/print-html.ts')).printHtml(report)],
  markdown: ['text/markdown', async (report) => (await import('./print/print-markdown.ts')).printMarkdown(report)],
  junit: ['application/xml', async (report) => (await import('./print/print-junit.ts')).printJunit(report)],
} as const satisfies Record<string, readonly [string, Print]>

export type ReportForm = keyof typeof reportForms
