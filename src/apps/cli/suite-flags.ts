/** Flags that all judging commands share. */
import { must } from '../../core/model/must.ts'
import { SUITES_PER_CPU, type SubjectOptions, WORLDS_PER_CPU } from '../../judge/subject.ts'
import { type Arguments, type Flag, jsonFlag } from './command.ts'
import type { JudgingWatch } from './judging.ts'
import { wholeValue } from './typed-values.ts'

const variablePattern = /^([A-Za-z_]\w*)=([\s\S]*)$/
const SECONDS_MAX = 99_999
const secondsValue = { value: 'seconds', ...wholeValue(1, SECONDS_MAX) }

export const scenarioFlag: Flag = {
  name: 'scenario',
  value: 'name|file',
  help: 'The scenario of its worlds.',
  names: 'scenarios',
  byDefault: 'default',
}
export const reportFileFlags: readonly Flag[] = [
  { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
  { name: 'html', value: 'file', help: 'Write a report as one HTML file.', names: 'files' },
  { name: 'markdown', value: 'file', help: 'Write a report in Markdown.', names: 'files' },
]
export const reportFlags: readonly Flag[] = [...reportFileFlags, jsonFlag]
export const jobsFlag: Flag = {
  name: 'jobs',
  value: 'n',
  help: `Worlds at a time. Default per processor: ${SUITES_PER_CPU} for a suite, ${WORLDS_PER_CPU} for an app.`,
  ...wholeValue(1),
}
export const tlsFlag: Flag = {
  name: 'tls',
  help: 'Use HTTPS. Sets PAYMENTS_CA, CALLBACK_CERT and CALLBACK_KEY.',
}
export const appFlags: readonly Flag[] = [
  { name: 'ready-within', help: 'The longest start of an app.', byDefault: '60', ...secondsValue },
  { name: 'rest-within', help: 'The longest time that an app may stay busy.', byDefault: '120', ...secondsValue },
  {
    name: 'env',
    value: 'name=value',
    help: 'A variable for a suite, such as MY_URL={baseUrl} or KEY={apiKey}. Repeatable.',
    expected: 'a name, = and a value, such as MY_URL={baseUrl}',
    holds: (text) => variablePattern.test(text),
    many: true,
  },
]
export const suiteFlags: readonly Flag[] = [
  jobsFlag,
  { name: 'within', help: 'The longest run of a suite.', byDefault: '600', ...secondsValue },
  ...appFlags,
]

export function subjectGiven(given: Arguments, { signal, ended }: JudgingWatch): SubjectOptions {
  const variables = given.all('env').map((text) => {
    const [, name = '', value = ''] = must(variablePattern.exec(text))
    return [name, value] as const
  })
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

export function millisecondsOf(given: Arguments, flag: string): number {
  return must(given.number(flag)) * 1000
}
