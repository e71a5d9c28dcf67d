/** Flags that the judges of an app, or of somebody's own suite, share. */
import { SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../../judge/subject.ts'
import { type Arguments, type Flag, jsonFlag } from './command.ts'
import type { JudgingWatch } from './judging.ts'
import { wholeValue } from './typed-values.ts'

const variablePattern = /^([A-Za-z_]\w*)=([\s\S]*)$/
/** A timer can wait for so many seconds. */
const SECONDS_MAX = 99_999
const secondsValue = { value: 'seconds', ...wholeValue(1, SECONDS_MAX) }

export const scenarioFlag: Flag = {
  name: 'scenario',
  value: 'name|file',
  help: 'What its worlds begin with.',
  names: 'scenarios',
  byDefault: 'default',
}
/** Reports as files, and as one JSON document. */
export const reportFlags: readonly Flag[] = [
  { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
  { name: 'html', value: 'file', help: 'Write a report as one HTML file.', names: 'files' },
  { name: 'markdown', value: 'file', help: 'Write a report in Markdown, such as for a comment.', names: 'files' },
  jsonFlag,
]
export const jobsFlag: Flag = {
  name: 'jobs',
  value: 'n',
  help: `Worlds at a time; 1 where a suite listens on a port of its own. Default: ${SUITES_PER_CPU} for each processor, or ${WORLDS_PER_CPU} for an app.`,
  ...wholeValue(1),
}
/** How long an app is waited for, and how a suite is told of its world. */
export const appFlags: readonly Flag[] = [
  { name: 'ready-within', help: 'How long an app may take until it is ready.', byDefault: '60', ...secondsValue },
  { name: 'rest-within', help: 'How long an app may work until it rests.', byDefault: '120', ...secondsValue },
  {
    name: 'env',
    value: 'name=value',
    help: 'For a suite: a variable, such as MY_URL={baseUrl}, {apiKey}, {apiSecret} or {companyId}; may be repeated. It finds PAYMENTS_URL, PAYMENTS_KEY, PAYMENTS_SECRET and PAYMENTS_COMPANY too.',
    expected: 'a name, = and a value, such as MY_URL={baseUrl}',
    holds: (text) => variablePattern.test(text),
    many: true,
  },
]
/** Of those that run suites again and again. */
export const suiteFlags: readonly Flag[] = [
  jobsFlag,
  { name: 'within', help: 'How long one run of a suite may take.', byDefault: '600', ...secondsValue },
  ...appFlags,
]

/** Whom to judge, as it was typed. */
export function subjectGiven(given: Arguments, { signal, ended }: JudgingWatch): SubjectOptions {
  const variables = given.all('env').map((text) => variablePattern.exec(text)?.slice(1) as [string, string])
  return {
    words: given.words,
    env: Object.fromEntries(variables),
    readyWithinMs: millisecondsOf(given, 'ready-within'),
    restWithinMs: millisecondsOf(given, 'rest-within'),
    jobs: given.number('jobs'),
    signal,
    ended,
  }
}

/** Of a flag in seconds that has a default. */
export function millisecondsOf(given: Arguments, flag: string): number {
  return (given.number(flag) as number) * 1000
}
