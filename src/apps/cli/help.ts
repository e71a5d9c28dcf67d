/** What `--help` prints: of all commands, of a group, of one command. */
import { CLEAN, type Command, type Entry, type Flag, type Group, PROBLEMS, UNREACHABLE, USAGE } from './command.ts'

export const HELP = 'help'

const exitCodes = `Exit codes: ${CLEAN} all is well; ${PROBLEMS} the answer is no (problems were found, or the server refused); ${USAGE} the command line
was not understood; ${UNREACHABLE} no mfano answers at the address.
`

/** `mfano help`. */
export function overallHelp(entries: readonly Entry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length))
  const line = ({ name, summary }: Entry) => `  ${name.padEnd(width)}  ${summary}`
  return `mfano: a simulator of a payments service, with state, for East African organisations

Usage: mfano [start] [flags]
       mfano <command> [flags]

${entries.map(line).join('\n')}

mfano <command> --help says more, with examples. Commands that ask a server take --url (or MFANO_URL; otherwise
http://localhost:8080), --world and, for programs, --json; MFANO_ADMIN_TOKEN is sent when it is set.

${exitCodes}
Examples:
  mfano
  mfano start --port 9090 --data :memory: --scenario ./my-scenario.yaml --watch
  mfano payment list --status FAILED
  mfano clock advance 2d
`
}

/** `mfano payment --help`. */
export function groupHelp({ name: group, summary }: Entry, { commands, otherwise }: Group): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `${summary}

Usage: mfano ${group} <command> [flags]

${lines.join('\n')}

mfano ${group} alone is mfano ${group} ${otherwise}.
mfano ${group} <command> --help says more, with examples.

${exitCodes}`
}

/** `mfano payment list --help`. `path` is what comes before the words. */
export function commandHelp(path: string, command: Command): string {
  const { words, summary, examples, about, ending } = command
  const usage = command.usage ?? [path, words, '[flags]'].filter(Boolean).join(' ')
  const flags = [...command.flags, { name: HELP, short: 'h', help: 'Prints this.' } satisfies Flag]
  return [
    `${summary}\n\nUsage: ${usage}\n`,
    ...(about === undefined ? [] : [`${about}\n`]),
    `Flags:\n${flags.map(flagHelp).join('\n')}\n`,
    `Examples:\n${examples.map((line) => `  ${line}\n`).join('')}`,
    ...(ending === undefined ? [] : [`${ending}\n`]),
  ].join('\n')
}

function flagHelp({ name, short, value, alone, help, env, byDefault, example }: Flag): string {
  const letter = short === undefined ? '' : `-${short}, `
  const taken = value === undefined || alone !== undefined ? '' : ` <${value}>`
  if (env === undefined)
    return `  ${letter}--${name}${taken}\n      ${help}${byDefault === undefined ? '' : ` Default: ${byDefault}.`}`
  const shown = alone === undefined ? `--${name} ${example}` : `--${name}`
  return `  ${letter}--${name}${taken}\n      ${help}\n      ${env}; default: ${byDefault}; example: ${shown}`
}
