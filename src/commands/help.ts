/** What `--help` prints: of all commands, of a group, of one command. */
import { HELP } from './arguments.ts'
import { CLEAN, type Command, type Entry, type Flag, type Group, PROBLEMS, UNREACHABLE, USAGE } from './command.ts'

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
  mfano demo
  mfano payment list --status FAILED
  mfano clock advance 2d
`
}

/** `mfano payment --help`. */
export function groupHelp({ name: group, summary }: Entry, { commands, otherwise }: Group): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const alone = otherwise === undefined ? '' : `\nmfano ${group} alone is mfano ${group} ${otherwise}.`
  return `${summary}

Usage: mfano ${group} <command> [flags]

${lines.join('\n')}
${alone}
mfano ${group} <command> --help says more, with examples.

${exitCodes}`
}

/** `mfano payment list --help`. `path` is what comes before the words. */
export function commandHelp(path: string, { words, summary, flags, examples }: Command): string {
  const usage = ['mfano', path, words, '[flags]'].filter(Boolean).join(' ')
  const lines = [...flags, { name: HELP, help: 'Prints this.' } satisfies Flag].map((flag: Flag) => {
    const ending = flag.byDefault === undefined ? '' : ` Default: ${flag.byDefault}.`
    return `  --${flag.name}${flag.value === undefined ? '' : ` <${flag.value}>`}\n      ${flag.help}${ending}`
  })
  return `${summary}\n\nUsage: ${usage}\n\nFlags:\n${lines.join('\n')}\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}\n`
}
