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
export const helpFlag: Flag = { name: HELP, short: 'h', help: 'Print this help.' }

const usualExits: CliCommand['exits'] = {
  [CLEAN]: 'success',
  [PROBLEMS]: 'problems were found, or the server refused',
  [USAGE]: 'the command line is wrong',
  [UNREACHABLE]: 'no mfano answers at the address',
}

function exitLines(exits: CliCommand['exits'] = {}): string {
  return `Exit codes:\n${Object.entries(exits)
    .map(([code, meaning]) => `  ${code}  ${meaning}\n`)
    .join('')}`
}

export const ALL = '--all'

export function overallHelp(entries: readonly CommandEntry[], usual?: readonly string[]): string {
  const shown = usual?.flatMap((name) => entries.find((one) => one.name === name) ?? [])
  return `mfano: a simulator of a payments service, with state, for East African organisations

Usage: mfano [start] [flags]
       mfano <command> [flags]

${shown ? `${listed(shown)}\n\nmfano help ${ALL} lists all commands.` : grouped(entries)}

mfano <command> --help prints flags and examples. Commands that ask a server take:
  --url <url>   The server or world. Default: MFANO_URL, or http://localhost:8080.
  --world <id>  The world. Default: default.
  --json        Print JSON.
Set MFANO_ADMIN_TOKEN if the server is protected by one.

${exitLines(usualExits)}
Examples:
  mfano
  mfano start --port 9090 --data :memory: --scenario ./my-scenario.yaml --watch
  mfano payment list --status FAILED
  mfano clock advance 2d
`
}

export function groupHelp({ name: group, summary }: CommandEntry, { commands, otherwise }: CommandGroup): string {
  return `${summary}

Usage: mfano ${group} <command> [flags]

${listed(commands)}

mfano ${group} without a command is mfano ${group} ${otherwise}.
mfano ${group} <command> --help prints flags and examples.

${exitLines(usualExits)}`
}

export function commandHelp(
  path: string,
  { words, summary, examples, about, usage, flags, exits }: CliCommand,
): string {
  return [
    `${summary}\n\nUsage: ${usage ?? [path, words, '[flags]'].filter(Boolean).join(' ')}\n`,
    ...(about ? [`${about}\n`] : []),
    `Flags:\n${[...flags, helpFlag].map(flagHelp).join('\n')}\n`,
    `Examples:\n${examples.map((line) => `  ${line}\n`).join('')}`,
    ...(exits ? [exitLines(exits)] : []),
  ].join('\n')
}

function grouped(entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length))
  return [...Map.groupBy(entries, ({ group }) => group)]
    .map(([group, those]) => `${group}\n${listed(those, width)}`)
    .join('\n\n')
}

function listed(known: readonly (CommandEntry | CliCommand)[], least = 0): string {
  const width = Math.max(least, ...known.map(({ name }) => name.length))
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
