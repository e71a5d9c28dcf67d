/** A gauntlet in the Common Test Report Format: JSON that many services read. */
import { groupsOf, headOf, moreOf } from './gauntlet/groups.ts'
import { countsOf, type GauntletReport, storyOf } from './gauntlet/gauntlet-report.ts'

const statuses = { clean: 'passed', findings: 'failed', unjudged: 'other', skipped: 'skipped' } as const

/** The whole document, ready to be written as JSON. `stopMs`: real time of its end. */
export function ctrfReport(report: GauntletReport, stopMs: number) {
  const { all, clean, findings, unjudged, skipped } = countsOf(report)
  const longestMs = Math.max(0, ...report.scenarios.map(({ tookMs }) => tookMs))
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    results: {
      tool: { name: 'mfano gauntlet' },
      summary: {
        tests: all,
        passed: clean,
        failed: findings,
        pending: 0,
        skipped,
        other: unjudged,
        start: stopMs - longestMs,
        stop: stopMs,
      },
      tests: report.scenarios.map(({ scenario, verdict, why, findings: found, tookMs }) => ({
        name: scenario,
        suite: [report.merchant],
        status: statuses[verdict],
        duration: tookMs,
        ...(found.length > 0 && {
          message: groupsOf(found).map(headOf).join('\n'),
          trace: groupsOf(found)
            .flatMap(({ examples }) =>
              examples.map((one) => [storyOf(one.finding), moreOf(one)].filter(Boolean).join('\n')),
            )
            .join('\n\n'),
        }),
        ...(why !== undefined && { message: why }),
      })),
    },
  }
}
