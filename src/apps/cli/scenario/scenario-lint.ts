import type { GivenParameters } from '../../../core/model/assumption.ts'
import { type Problem, ScenarioError } from '../../../core/model/problems.ts'
import { counted } from '../../../core/model/text.ts'
import type { ScenarioLibrary } from '../../../core/scenario-library.ts'
import { CLEAN, type CliCommand, formatFlags, formatOf, PROBLEMS } from '../command.ts'
import type { Paint } from '../output.ts'
import { readParameters, setFlag } from '../typed-values.ts'

const lintFormats = ['text', 'json', 'github'] as const

interface LintedFile {
  file: string
  name?: string
  rules?: number
  problems: readonly Problem[]
  warnings: readonly Problem[]
}

function printChecked(checked: readonly LintedFile[], format: (typeof lintFormats)[number], paint: Paint): string {
  if (format === 'json') return asJson(checked)
  if (format === 'github') return asAnnotations(checked)
  return asText(checked, paint)
}

function asText(checked: readonly LintedFile[], paint: Paint): string {
  const line = (problem: Problem, severity: string) =>
    `${paint('bold', `${problem.file}:${problem.line}:${problem.column}`)}: ${severity}: ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`
  const lines = checked.flatMap(({ file, name, rules, problems, warnings }) => [
    ...problems.map((problem) => line(problem, paint('red', 'error'))),
    ...warnings.map((problem) => line(problem, paint('yellow', 'warning'))),
    ...(problems.length + warnings.length === 0
      ? [`${file}: ${paint('green', 'ok')}, ${name} has ${counted(rules ?? 0, 'rule')} with those it extends`]
      : []),
  ])
  const wrong = checked.reduce((sum, { problems, warnings }) => sum + problems.length + warnings.length, 0)
  if (wrong > 0) lines.push(`${counted(wrong, 'problem')} in ${counted(checked.length, 'file')}`)
  return `${lines.join('\n')}\n`
}

function asJson(checked: readonly LintedFile[]): string {
  const files = checked.map(({ problems, warnings, ...rest }) => ({
    ...rest,
    valid: problems.length === 0,
    problems: [
      ...problems.map((problem) => ({ severity: 'error', ...problem })),
      ...warnings.map((problem) => ({ severity: 'warning', ...problem })),
    ],
  }))
  const clean = files.every(({ problems }) => problems.length === 0)
  return `${JSON.stringify({ clean, files }, null, 2)}\n`
}

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
function asAnnotations(checked: readonly LintedFile[]): string {
  const annotation = (severity: 'error' | 'warning', { file, line, column, path, message }: Problem) =>
    `::${severity} file=${property(file)},line=${line},col=${column},title=${property(path || 'scenario')}::${data(message)}\n`
  return checked
    .flatMap(({ problems, warnings }) => [
      ...problems.map((problem) => annotation('error', problem)),
      ...warnings.map((problem) => annotation('warning', problem)),
    ])
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

export const lintCommand: CliCommand = {
  name: 'lint',
  words: 'FILE…',
  names: ['scenarios'],
  summary: 'Check scenario files.',
  about: 'It finds unknown keys, wrong types, and rules and faults without effect.',
  exits: { 0: 'no problems', 1: 'problems or warnings' },
  flags: [...formatFlags(lintFormats, 'Output for people, programs or GitHub annotations.'), setFlag],
  examples: [
    'mfano scenario lint month-end.yaml',
    'mfano scenario lint --format github *.yaml',
    'mfano scenario lint --format json month-end.yaml',
  ],
  run: async (given, output) => {
    const { scenarioLibrary } = await import('../../../hosts/node/scenarios.ts')
    const library = scenarioLibrary()
    const parameters = readParameters(given)
    const checked = given.words.map((file) => check(library, file, parameters))
    const commands = given.get('format') === 'github' ? 'commands' : undefined
    output.out(printChecked(checked, formatOf(given), output.paint), commands)
    return checked.every(({ problems, warnings }) => problems.length + warnings.length === 0) ? CLEAN : PROBLEMS
  },
}

function check(library: ScenarioLibrary, file: string, parameters: GivenParameters): LintedFile {
  try {
    const { name, rules, warnings } = library.find(file, parameters)
    return { file, name, rules: rules.length, problems: [], warnings: warnings() }
  } catch (error) {
    if (error instanceof ScenarioError) return { file, problems: error.problems, warnings: [] }
    throw error
  }
}
