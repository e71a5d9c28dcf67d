/** Lists what could come next on a command line, for the scripts of `mfano completion`. No server is asked. */

import { paymentsService } from '../../service/service.ts'
import { type CliCommand, type CompletedNames, type Flag, type TypedArguments, UsageError } from './command.ts'
import { findCommand } from './find-command.ts'
import { HELP, helpFlag } from './help.ts'
import type { Output } from './output.ts'
import { argumentsOf, countOf } from './read-arguments.ts'

type Completion = [value: string, about: string]

const FILES = ':files'

/**
 * Answers `__complete words …`, whose last word is under the cursor, or `__complete line LINE BREAKS` with the whole
 * line up to the cursor and the shell's word breaks. Prints one candidate per line, with its description after a tab.
 */
export async function answerShell([form, ...rest]: readonly string[], { out }: Output): Promise<void> {
  const [line = '', breaks = ''] = rest
  const typed = form === 'line' ? splitLine(line).slice(1) : rest
  const current = typed.at(-1) ?? ''
  // The shell replaces only what stands behind the last of its signs.
  const from = form === 'line' ? Math.max(...[...breaks].map((sign) => current.lastIndexOf(sign)), -1) + 1 : 0
  for (const [value, about] of await next(typed.slice(0, -1), current)) {
    if (value === FILES) out(`${FILES}\n`)
    else if (value.startsWith(current)) out(`${`${value.slice(from)}\t${about.replaceAll(/\s+/g, ' ')}`.trimEnd()}\n`)
  }
}

export function splitLine(line: string): string[] {
  const words = line.matchAll(/(?:^\s*|\s+)((?:\\.?|'[^']*'?|"(?:\\.?|[^"\\])*"?|[^\s\\'"])*)/gs)
  return Array.from(words, ([, word = '']) =>
    word.replaceAll(/'([^']*)'?|"((?:\\.?|[^"\\])*)"?|\\(.?)/gs, (_, single, double, one) =>
      double === undefined ? (single ?? one) : double.replaceAll(/\\(.?)/gs, '$1'),
    ),
  )
}

async function next(before: readonly string[], current: string): Promise<Completion[]> {
  const helps = before[0] === HELP
  const meant = await findCommand(helps ? before.slice(1) : before).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error
  })
  if (meant === undefined) return []
  const { command, unnamed } = meant
  const open = command.flags.find(({ name, value }) => value !== undefined && before.at(-1) === `--${name}`)
  if (unnamed.length > 0 && !current.startsWith('-') && open === undefined) {
    const named = unnamed.map(({ name, summary }): Completion => [name, summary])
    return helps ? named : [...named, [HELP, 'Explains the commands.']]
  }
  const given = argumentsOf({ ...command, reportsProblems: true }, meant.typed)
  return helps ? [] : argument(command, open, current, given)
}

function argument(command: CliCommand, open: Flag | undefined, current: string, given: TypedArguments) {
  const { flags, names = [] } = command
  const [prefix = '', joined] = /^--([\w-]+)=/.exec(current) ?? []
  const flag = flags.find(({ name, value }) => name === joined && value !== undefined) ?? open
  if (flag) return values(flag.choices ?? flag.names, prefix)
  if (current.startsWith('-')) {
    const left = [...flags, helpFlag].filter(({ name, many }) => many || !given.has(name))
    return left.map(({ name, help }): Completion => [`--${name}`, help])
  }
  const at = given.words.length
  return at < countOf(command).most ? values(names[at] ?? names.at(-1)) : []
}

async function values(names: CompletedNames | readonly string[] = [], prefix = ''): Promise<Completion[]> {
  const found = typeof names === 'string' ? await sources[names]() : names.map((name): Completion => [name, ''])
  return found.map(([value, about]) => [value === FILES ? value : prefix + value, about])
}

const sources: Record<CompletedNames, () => Promise<Completion[]>> = {
  files: async () => [[FILES, '']],
  kinds: async () => Array.from(paymentsService.kinds, ({ name, phrase }) => [name, phrase]),
  scenarios: async () => {
    const { shippedScenarios } = await import('../../hosts/node/package.ts')
    return [...shippedScenarios().map((name): Completion => [name, 'shipped']), [FILES, '']]
  },
}
