/** Writes a hint as a command. */
import type { ShownHint } from '../../core/model/problems.ts'
import type { CliCommand } from './command.ts'
import { findCommand } from './find-command.ts'
import { placeFor } from './read-arguments.ts'
import { shellWord } from './words.ts'

/**
 * Such as `mfano payment resolve salary-1 FAILED`. Falls back to the declared command if the short one takes fewer
 * parameters.
 */
export async function asCommand(
  { operation, with: parameters }: Pick<ShownHint, 'operation' | 'with'>,
  /** Flags of the command that printed the hint. */
  { url, world }: { url?: string | undefined; world?: string | undefined } = {},
): Promise<string> {
  const names = operation.split('.')
  const isOfServer = names[0] === 'world' && operation !== 'world.reset'
  const where = Object.entries({ url, ...(!isOfServer && { world }) }).filter((one) => one[1] !== undefined)
  const typedAs = (command: CliCommand) => {
    const known = where.filter(([name]) => command.flags?.some((flag) => flag.name === name))
    return typedFor(command, { ...Object.fromEntries(known), ...parameters })
  }
  const typed = typedAs((await findCommand(names)).command)
  if (typed) return ['mfano', ...names, ...typed].join(' ')
  const { command } = await findCommand(['control', operation])
  return ['mfano control', operation, ...(typedAs(command) ?? [])].join(' ')
}

/** Undefined if the command does not take all parameters. */
function typedFor(command: CliCommand, parameters: ShownHint['with']): string[] | undefined {
  const words: string[] = []
  const flags: string[] = []
  for (const [name, value] of Object.entries(parameters)) {
    const place = placeFor(command, name)
    const text = shellWord(typeof value === 'object' ? JSON.stringify(value) : String(value))
    if (!place) return undefined
    if (place.flag === undefined) words[place.word] = text
    else flags.push(place.flag.value === undefined ? `--${place.flag.name}` : `--${place.flag.name} ${text}`)
  }
  return [...words.filter((one) => one !== undefined), ...flags]
}
