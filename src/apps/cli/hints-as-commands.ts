/** Texts with commands in the place of what their hints name. */
import { type ShownHint, withHints } from '../../core/model/hint.ts'
import type { Arguments } from './command.ts'

export async function inCommands(
  text: string,
  hints: readonly ShownHint[],
  { commandFor }: Pick<Arguments, 'commandFor'>,
): Promise<string> {
  const commands = new Map(await Promise.all(hints.map(async (one) => [one, await commandFor(one)] as const)))
  return withHints(text, hints, (one) => commands.get(one) as string)
}
