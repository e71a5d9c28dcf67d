/** What lint found, in the forms it is asked for. */
import { counted } from '../../../core/model/counted.ts'
import type { Problem } from '../../../core/model/problems.ts'
import type { Paint } from '../output.ts'

export const lintFormats = ['text', 'json', 'github'] as const

/** One file that was checked. */
export interface LintedFile {
  file: string
  /** Missing when it could not be read. */
  name?: string
  rules?: number
  /** It cannot be used. */
  problems: readonly Problem[]
  /** It can be used, and does not do all that it says. */
  warnings: readonly Problem[]
}

export function printChecked(
  checked: readonly LintedFile[],
  format: (typeof lintFormats)[number],
  paint: Paint,
): string {
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
