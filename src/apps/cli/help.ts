/** What `--help` prints: of all commands, of a group, of one command. */
import {
  CLEAN,
  type CliCommand,
  type CommandEntry,
  type CommandGroup,
  type Flag,
  PROBLEMS,
  UNREACHABLE,
  USAGE,
} from './command.ts'

export const HELP = 'help'
export const helpFlag: Flag = { name: HELP, short: 'h', help: 'Prints what the command does, with examples.' }

const exitCodes = `Exit codes: ${CLEAN} all is well; ${PROBLEMS} the answer is no (problems were found, or the server refused); ${USAGE} the command line
was not understood; ${UNREACHABLE} no mfano answers at the address.
`

/** `mfano help`. */
export function overallHelp(entries: readonly CommandEntry[]): string {
  return `mfano: a simulator of a payments service, with state, for East African organisations

Usage: mfano [start] [flags]
       mfano <command> [flags]

${listed(entries)}

mfano <command> --help says more, with examples. Commands that ask a server take --url (or MFANO_URL; otherwise
http://localhost:8080), --world and, for programs, --json; MFANO_ADMIN_TOKEN is sent when it is set. Every operation of
the control plane is a command, such as mfano float fund; mfano help control lists them.

${exitCodes}
Examples:
  mfano
  mfano start --port 9090 --data :memory: --scenario ./my-scenario.yaml --watch
  mfano payment list --status FAILED
  mfano clock advance 2d
`
}

/** `mfano payment --help`. */
export function groupHelp({ name: group, summary }: CommandEntry, { commands, otherwise }: CommandGroup): string {
  return `${summary}

Usage: mfano ${group} <command> [flags]

${listed(commands)}

mfano ${group} alone is mfano ${group} ${otherwise}.
mfano ${group} <command> --help says more, with examples.

${exitCodes}`
}

/** `mfano payment list --help`. `path` is what comes before the words. */
export function commandHelp(path: string, { words, summary, examples, about, usage, flags }: CliCommand): string {
  return [
    `${summary}\n\nUsage: ${usage ?? [path, words, '[flags]'].filter(Boolean).join(' ')}\n`,
    ...(about === undefined ? [] : [`${about}\n`]),
    `Flags:\n${[...flags, helpFlag].map(flagHelp).join('\n')}\n`,
    `Examples:\n${examples.map((line) => `  ${line}\n`).join('')}`,
  ].join('\n')
}

function listed(known: readonly (CommandEntry | CliCommand)[]): string {
  const width = Math.max(...known.map(({ name }) => name.length))
  return known.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
}

function flagHelp({ name, short, value, alone, help, env, byDefault, example }: Flag): string {
  const letter = short === undefined ? '' : `-${short}, `
  const taken = value === undefined || alone !== undefined ? '' : ` <${value}>`
  const usual = byDefault === undefined ? '' : ` Default: ${byDefault}.`
  const shown = alone === undefined ? `--${name} ${example}` : `--${name}`
  const more = env === undefined ? usual : `\n      ${env}; default: ${byDefault}; example: ${shown}`
  return `  ${letter}--${name}${taken}\n      ${help}${more}`
}
