/** Says what a server refused by the flag or the word that was typed for it, where the server says it by its field. */
import { type Command, CommandFailed } from './command.ts'

/** A failure as it was; one about a field that was typed as a flag or a word is told by that. */
export function asTyped(error: unknown, command: Pick<Command, 'flags' | 'words'>): unknown {
  if (!(error instanceof CommandFailed)) return error
  const { code, exitCode } = error
  const [, field, said] = /^([a-z][A-Za-z]*): ([\s\S]+)$/.exec(error.hint) ?? []
  if (field === undefined || said === undefined) return error
  const typed = typedFor(field, command)
  return typed === undefined ? error : new CommandFailed(`${typed}: ${said}`, '', { code, exitCode })
}

/** `referenceId` is typed as `--reference`, and a name as the word `NAME`. */
function typedFor(field: string, { flags, words }: Pick<Command, 'flags' | 'words'>): string | undefined {
  const names = [field, field.replace(/(?:Id|Url)$/, '')]
  const flag = flags.find(({ name }) => names.includes(name))
  if (flag) return `--${flag.name}`
  return words.match(/[A-Z]+/g)?.find((word) => names.some((name) => name.toUpperCase() === word))
}
