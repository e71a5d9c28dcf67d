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
  help: 'What its worlds begin with.',
  names: 'scenarios',
  byDefault: 'default',
}
export const reportFileFlags: readonly Flag[] = [
  { name: 'junit', value: 'file', help: 'Write a JUnit report.', names: 'files' },
  { name: 'html', value: 'file', help: 'Write a report as one HTML file.', names: 'files' },
  { name: 'markdown', value: 'file', help: 'Write a report in Markdown, such as for a comment.', names: 'files' },
]
export const reportFlags: readonly Flag[] = [...reportFileFlags, jsonFlag]
export const jobsFlag: Flag = {
  name: 'jobs',
  value: 'n',
  help: `Worlds at a time; 1 where a suite listens on a port of its own. Default: ${SUITES_PER_CPU} for each processor, or ${WORLDS_PER_CPU} for an app.`,
  ...wholeValue(1),
}
export const tlsFlag: Flag = {
  name: 'tls',
  help: 'Give it the address of its world as https, and files to trust and to receive callbacks with: PAYMENTS_CA, CALLBACK_CERT and CALLBACK_KEY.',
}
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
export const suiteFlags: readonly Flag[] = [
  jobsFlag,
  { name: 'within', help: 'How long one run of a suite may take.', byDefault: '600', ...secondsValue },
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
