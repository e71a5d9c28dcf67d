import type { GivenParameters } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { nameAndValue, parameterPattern } from '../../core/model/text.ts'
import { parseDuration, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'
import type { JudgeOptions, SubjectOptions } from '../../judge/subject.ts'
import { type Arguments, type Flag, jsonFlag, UsageError } from './command.ts'

type Checked = Required<Pick<Flag, 'expected' | 'holds'>>

export function wholeValue(least: number, most = Number.MAX_SAFE_INTEGER): Checked {
  return {
    expected: `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`,
    holds: (text) => /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most,
  }
}

export const seedValue = wholeValue(0, 0xffff_ffff)
export const portValue = wholeValue(0, 65_535)
export const rateValue: Checked = { expected: 'a number greater than 0, such as 60', holds: (text) => Number(text) > 0 }
export const durationValue: Checked = {
  expected: 'a duration such as 90s, 5m, 1h30m or 2d',
  holds: (text) => parseDuration(text) !== undefined,
}
export const instantValue: Checked = {
  expected: WORLD_INSTANT,
  holds: (text) => parseWorldInstant(text) !== undefined,
}

export const setFlag: Flag = {
  name: 'set',
  value: 'name=value',
  help: 'A parameter of the scenario. Repeatable.',
  expected: 'the name of a parameter, = and its value, such as limit=5000',
  holds: (text) => parameterPattern.test(text),
  many: true,
}

export function readParameters(given: Arguments): GivenParameters {
  return Object.fromEntries(given.all('set').map(nameAndValue))
}

export function oneOf<Known extends string>(what: string, text = '', known: readonly Known[]): Known {
  const found = known.find((one) => one === text)
  if (found !== undefined) return found
  throw new UsageError(`${what}: expected ${known.join(', ')}, got ${JSON.stringify(text)}.${didYouMean(text, known)}`)
}

export function amountOf(what: string, text: string): number {
  const plain = text.replaceAll(/[,_]/g, '')
  const value = /^\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : 0
  if (value > 0) return value
  throw new UsageError(
    `${what}: expected an amount greater than 0 such as 1500 or 99.50, got ${JSON.stringify(plain)}.`,
  )
}

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
export const seedFlag: Flag = {
  name: 'seed',
  value: 'n',
  help: 'The seed of everything that is random.',
  byDefault: '1',
  ...wholeValue(1),
}
export const withinFlag: Flag = { name: 'within', value: 'time', help: 'The most real time.', ...durationValue }
const failOn = ['error', 'warning']
export const failOnFlag: Flag = {
  name: 'fail-on',
  value: failOn.join('|'),
  help: 'Exit with 1 for findings only (error), or also for advice.',
  choices: failOn,
  byDefault: 'error',
}
export const unstableFlag: Flag = { name: 'allow-unstable', help: 'Ignore findings that do not repeat.' }
export const appFlags: readonly Flag[] = [
  { name: 'ready-within', help: 'The longest start of an app.', byDefault: '60', ...secondsValue },
  { name: 'rest-within', help: 'The longest time that an app may stay busy.', byDefault: '120', ...secondsValue },
]
export const suiteFlags: readonly Flag[] = [
  { name: 'within', help: 'The longest run of a suite.', byDefault: '600', ...secondsValue },
  {
    name: 'env',
    value: 'name=value',
    help: 'A variable for a suite, such as MY_URL={baseUrl} or KEY={apiKey}. Repeatable.',
    expected: 'a name, = and a value, such as MY_URL={baseUrl}',
    holds: (text) => variablePattern.test(text),
    many: true,
  },
  ...appFlags,
]

export function subjectGiven(given: Arguments, watch: JudgeOptions): SubjectOptions {
  const variables = given.all('env').map((text) => {
    const [, name = '', value = ''] = must(variablePattern.exec(text))
    return [name, value] as const
  })
  return {
    words: given.words,
    env: Object.fromEntries(variables),
    suiteWithinMs: must(given.number('within')) * 1000,
    scenario: must(given.get('scenario')),
    ...watch,
  }
}

export function withinGiven(given: Arguments): number {
  return must(parseDuration(must(given.get('within')))) / 1000
}
