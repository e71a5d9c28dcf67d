import { must } from '../../core/model/must.ts'
import { type ShownHint, withHints } from '../../core/model/problems.ts'
import type { Arguments } from './command.ts'

export async function inCommands(
  text: string,
  hints: readonly ShownHint[],
  { commandFor }: Pick<Arguments, 'commandFor'>,
): Promise<string> {
  const commands = new Map(await Promise.all(hints.map(async (one) => [one, await commandFor(one)] as const)))
  return withHints(text, hints, (one) => must(commands.get(one)))
}
