/** A gauntlet as JUnit XML: a test case for each scenario. */
import { escaped } from '../core/model/markup.ts'
import { groupsOf } from './gauntlet/groups.ts'
import { countsOf, type GauntletReport, type ScenarioResult, storyOf } from './gauntlet/gauntlet-report.ts'

/** The whole document. */
export function junitReport(report: GauntletReport): string {
  const { all, findings, unjudged, skipped } = countsOf(report)
  const name = escaped(report.merchant)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${all}" failures="${findings}" errors="${unjudged}" skipped="${skipped}">`,
    `<testsuite name="mfano gauntlet: ${name}" tests="${all}" failures="${findings}" errors="${unjudged}" skipped="${skipped}">`,
    ...report.scenarios.map((result) => testCase(name, result)),
    '</testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(suite: string, { scenario, verdict, why = '', findings, tookMs }: ScenarioResult): string {
  const said = {
    clean: '',
    findings: groupsOf(findings)
      .flatMap(({ code, examples }) =>
        examples.map(
          ({ finding, more }) =>
            `<failure type="${escaped(code)}" message="${escaped(finding.text)}">${escaped(storyOf(finding))}${more === 0 ? '' : `\nand ${more} more like it`}</failure>`,
        ),
      )
      .join(''),
    unjudged: `<error message="could not be judged">${escaped(why)}</error>`,
    skipped: `<skipped message="${escaped(why)}"/>`,
  }
  return `<testcase classname="${suite}" name="${escaped(scenario)}" time="${tookMs / 1000}">${said[verdict]}</testcase>`
}
