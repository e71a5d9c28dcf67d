import type { ShownHint } from '../../core/model/problems.ts'
import { commandOf } from './command.ts'
import { findCommand } from './find-command.ts'
import { toldOperations } from './operations.gen.ts'
import { placeFor } from './read-arguments.ts'
import { shellWord } from './words.ts'

export async function asCommand(
  { operation, with: parameters }: Pick<ShownHint, 'operation' | 'with'>,
  { url, world }: { url?: string | undefined; world?: string | undefined } = {},
): Promise<string> {
  const names = commandOf(operation)
  const { command } = await findCommand(names)
  const isOfServer = toldOperations.find(({ id }) => id === operation)?.isOfServer === true
  const where = Object.entries({ url, ...(!isOfServer && { world }) })
  const words: string[] = []
  const flags: string[] = []
  for (const [name, value] of [...where, ...Object.entries(parameters)]) {
    if (value === undefined) continue
    const place = placeFor(command, name)
    const text = shellWord(typeof value === 'object' ? JSON.stringify(value) : String(value))
    if (place && place.flag === undefined) words[place.word] = text
    else if (place && (place.flag.value === undefined || place.flag.alone === text)) flags.push(`--${place.flag.name}`)
    else flags.push(`--${place?.flag.name ?? name} ${text}`)
  }
  return ['mfano', ...names, ...words.filter((one) => one !== undefined), ...flags].join(' ')
}
