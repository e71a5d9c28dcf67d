/** Writes a hint as a command. */
import type { ShownHint } from '../../core/model/hint.ts'
import type { CliCommand, LoadService } from './command.ts'
import { findCommand } from './find-command.ts'
import { placeFor } from './read-arguments.ts'
import { shellWord } from './words.ts'

/**
 * Such as `mfano payment resolve salary-1 FAILED`. Falls back to the declared command if the short one takes fewer
 * parameters.
 */
export async function asCommand(
  { operation, with: parameters }: Pick<ShownHint, 'operation' | 'with'>,
  service: LoadService,
): Promise<string> {
  const names = operation.split('.')
  const typed = typedFor((await findCommand(names, service)).command, parameters)
  if (typed) return ['mfano', ...names, ...typed].join(' ')
  const { command } = await findCommand(['control', operation], service)
  return ['mfano control', operation, ...(typedFor(command, parameters) ?? [])].join(' ')
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
