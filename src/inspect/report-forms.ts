/** What a report says in sentences: the verdict, and what to look at first. */
import type { RunReport } from './run-report.ts'

/** Media type of what is printed of a report, and how it is printed: loaded when somebody asks for it. */
export const printed = {
  html: ['text/html', async (report: RunReport) => (await import('./report/run-html.ts')).runHtml(report)],
  markdown: [
    'text/markdown',
    async (report: RunReport) => (await import('./report/run-markdown.ts')).runMarkdown(report),
  ],
  junit: ['application/xml', async (report: RunReport) => (await import('./report/run-junit.ts')).runJunit(report)],
} as const
