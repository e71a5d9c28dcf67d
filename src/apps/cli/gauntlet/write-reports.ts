/** Writes the reports of a gauntlet that were asked for, and into the summary of a workflow that runs it. */
import { appendFileSync, writeFileSync } from 'node:fs'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { baselineOf } from '../../../judge/gauntlet/baseline.ts'
import { ctrfReport } from '../../../judge/ctrf-report.ts'
import { htmlReport } from '../../../judge/html-report.ts'
import { junitReport } from '../../../judge/junit-report.ts'
import { markdownReport } from '../../../judge/markdown-report.ts'
import type { GauntletReport } from '../../../judge/gauntlet/gauntlet-report.ts'
import type { Arguments } from '../command.ts'
import { writing } from '../write-file.ts'

const forms = {
  junit: junitReport,
  ctrf: (report: GauntletReport) => document(ctrfReport(report, wallNowMs())),
  html: htmlReport,
  markdown: markdownReport,
  'write-baseline': (report: GauntletReport) => document(baselineOf(report)),
}

/** Each to its file. Fails with the name of one that cannot be written. */
export function writeReports(report: GauntletReport, given: Pick<Arguments, 'get'>): void {
  for (const [flag, print] of Object.entries(forms)) {
    const file = given.get(flag)
    if (file !== undefined) writing(file, () => writeFileSync(file, print(report)))
  }
  const summary = process.env['GITHUB_STEP_SUMMARY']
  if (summary) writing(summary, () => appendFileSync(summary, markdownReport(report)))
}

function document(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
