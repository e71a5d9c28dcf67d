/**
 * Every setting of a running mfano: one schema, read from flags and environment variables into one frozen object.
 * A flag wins over its environment variable, which wins over the default. Nothing is guessed: an unknown name or a
 * bad value is an error that says what was expected.
 */
import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { didYouMean } from '../../model/did-you-mean.ts'
import { nameAndValue, parameterPattern } from '../../model/name-value.ts'

const logFormats = ['pretty', 'json', 'off'] as const
export const logLevels = ['info', 'warn', 'error'] as const

/** What people read about a setting, in `--help` and when a value is refused. */
interface SettingText {
  flag: string
  /** A one-letter form of the flag. */
  short?: string
  env: string
  /** Stands for the value in `--help`. */
  value: string
  help: string
  /** Completes "expected …". */
  expected: string
  example: string
  /** The default in words, where it is not a plain value. */
  otherwise?: string
  /** The flag stands without a value for this one. */
  alone?: string
  /** The flag may be repeated. */
  many?: boolean
  /** Values that a mistyped one may have meant. */
  known?: readonly string[]
  /** The value is never printed. */
  secret?: boolean
}
const texts = z.registry<SettingText>()

const hostName = /^(?!-)[a-z\d.-]{1,253}$/i
const isHost = (text: string) => isIP(text) !== 0 || hostName.test(text)

/** The address without its last slash; undefined unless it is one that paths can be put behind. */
function plainAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  return url.href.replace(/\/+$/, '')
}

const settingsSchema = z.strictObject({
  /** TCP port to listen on; 0 lets the system choose a free one. */
  port: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .default(8080)
    .register(texts, {
      flag: 'port',
      short: 'p',
      env: 'PORT',
      value: 'number',
      help: 'Port to listen on; 0 takes any free one.',
      expected: 'a whole number from 0 to 65535',
      example: '9090',
    }),
  /** Address to listen on. The container image sets 0.0.0.0, since nobody outside reaches its loopback. */
  host: z.string().refine(isHost).default('127.0.0.1').register(texts, {
    flag: 'host',
    env: 'MFANO_HOST',
    value: 'address',
    help: 'Address to listen on; 0.0.0.0 is every interface of this machine.',
    expected: 'an IP address or a host name, without port',
    example: '0.0.0.0',
  }),
  /** Directory of the worlds' databases, one file per world; `:memory:` keeps nothing. */
  data: z
    .string()
    .min(1)
    .refine((path) => path === ':memory:' || !path.startsWith(':'))
    .default('data')
    .register(texts, {
      flag: 'data',
      env: 'MFANO_DATA',
      value: 'directory',
      help: 'Where worlds are kept, one database each; :memory: keeps nothing.',
      expected: 'a directory, or :memory:',
      known: [':memory:'],
      example: ':memory:',
    }),
  /** What the world `default` starts with: a shipped scenario's name or the path of a file. */
  scenario: z.string().min(1).default('default').register(texts, {
    flag: 'scenario',
    env: 'MFANO_SCENARIO',
    value: 'name|file',
    help: 'Scenario of the world "default": a shipped name or a YAML or JSON file.',
    expected: 'the name of a shipped scenario or the path of a file',
    example: './my-scenario.yaml',
  }),
  /** Values for the scenario's parameters, by name; undefined: those that it has by itself. */
  set: z
    .string()
    .trim()
    .refine((lines) => lines.split('\n').every((line) => parameterPattern.test(line)))
    .transform((lines) => Object.fromEntries(lines.split('\n').map(nameAndValue)) as Readonly<Record<string, string>>)
    .optional()
    .register(texts, {
      flag: 'set',
      env: 'MFANO_SET',
      value: 'name=value',
      help: 'A value for a parameter of the scenario. The flag may be repeated; the variable holds one per line.',
      expected: 'the name of a parameter, = and its value',
      example: 'limit=5000',
      otherwise: 'as the scenario says',
      many: true,
    }),
  /** Reads the scenario's files again when they are saved; undefined: it is read once. */
  watch: z
    .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })
    .optional()
    .register(texts, {
      flag: 'watch',
      env: 'MFANO_WATCH',
      value: 'true|false',
      help: 'Read the scenario again whenever its file, or one that it extends, is saved.',
      expected: 'true or false',
      known: ['true', 'false'],
      example: 'true',
      otherwise: 'false',
      alone: 'true',
    }),
  /** Worlds that are open at once; idle ones beyond it are closed until they are asked for or have something to do. */
  openWorlds: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((count) => count >= 1)
    .default(100)
    .register(texts, {
      flag: 'open-worlds',
      env: 'MFANO_OPEN_WORLDS',
      value: 'number',
      help: 'Worlds kept open at once; idle ones beyond it are closed and opened again unseen.',
      expected: 'a whole number from 1 to 999999',
      example: '1000',
    }),
  /** Guards the control plane and the dashboard; undefined: they are open. */
  adminToken: z
    .string()
    // It travels in a header, and a line break at its end is what `echo > secret` leaves behind.
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .register(texts, {
      flag: 'admin-token',
      env: 'MFANO_ADMIN_TOKEN',
      value: 'token',
      help: 'Guards the control plane and the dashboard.',
      expected: 'printable ASCII characters without spaces or line breaks',
      example: 's3cret',
      otherwise: 'none, they are open',
      secret: true,
    }),
  /** Host that stands for localhost in callback URLs; undefined: localhost is this machine. */
  callbackHost: z.string().refine(isHost).optional().register(texts, {
    flag: 'callback-host',
    env: 'MFANO_CALLBACK_HOST',
    value: 'host',
    help: 'Host that localhost means in callback URLs, for mfano in a container.',
    expected: 'an IP address or a host name, without scheme or port',
    example: 'host.docker.internal',
    otherwise: 'none, localhost is where mfano runs',
  }),
  /** Address under which others reach mfano, without a last slash; undefined: as each request named it. */
  baseUrl: z
    .string()
    .refine((text) => plainAddress(text) !== undefined)
    .transform((text) => plainAddress(text) as string)
    .optional()
    .register(texts, {
      flag: 'base-url',
      env: 'MFANO_BASE_URL',
      value: 'url',
      help: 'Address that others reach mfano under, used in links such as checkoutUrl.',
      expected: 'an http or https URL without query, fragment or credentials',
      example: 'https://mfano.example.com',
      otherwise: 'as each request names it',
    }),
  /** How events are written to standard output. */
  log: z.enum(logFormats).register(texts, {
    flag: 'log',
    env: 'MFANO_LOG',
    value: logFormats.join('|'),
    help: 'How events are written to standard output.',
    expected: 'pretty, json or off',
    known: logFormats,
    example: 'json',
    otherwise: 'pretty in a terminal, json elsewhere',
  }),
  /** The least important events that are still written. */
  logLevel: z
    .enum(logLevels)
    .default('info')
    .register(texts, {
      flag: 'log-level',
      env: 'MFANO_LOG_LEVEL',
      value: logLevels.join('|'),
      help: 'Least important events to write: all, failed callbacks and worse, or errors.',
      expected: 'info, warn or error',
      known: logLevels,
      example: 'warn',
    }),
})

/** The settings of one mfano process; frozen. */
export type Settings = Readonly<z.output<typeof settingsSchema>>

type Name = keyof Settings
type Raw = { value: string; from: string }

const entries = Object.entries(settingsSchema.shape).map(([name, schema]) => ({
  name: name as Name,
  schema: schema as z.ZodType,
  ...(texts.get(schema as z.ZodType) as SettingText),
}))
const flagNames = [...entries.map(({ flag }) => flag), 'json', 'help', 'version'].map((flag) => `--${flag}`)
const envNames = entries.map(({ env }) => env)
/** What the commands that ask a server read; a server that is started in the same shell need not mind. */
const commandVariables = ['MFANO_URL', 'MFANO_COVERAGE']

/** What the command line asked for. */
export type Reading =
  | { settings: Settings; json: boolean; help?: undefined; version?: undefined; error?: undefined }
  | { help: string; settings?: undefined; version?: undefined; error?: undefined }
  | { version: true; settings?: undefined; help?: undefined; error?: undefined }
  | { error: string; settings?: undefined; help?: undefined; version?: undefined }

/**
 * Settings from flags and environment. Pure.
 * @param argv the arguments after the program's name
 * @param env the environment
 * @param terminal whether a person is reading standard output
 */
export function readSettings(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  terminal = false,
): Reading {
  const flags = readFlags(argv)
  if (flags.wants === 'help') return { help: helpText() }
  if (flags.wants === 'version') return { version: true }
  const problems = [...flags.problems, ...unknownVariables(env)]

  const values: Record<string, unknown> = { log: terminal && !flags.json ? 'pretty' : 'json' }
  for (const entry of entries) {
    const raw = flags.given.get(entry.name) ?? fromEnvironment(entry, env)
    if (raw === undefined) continue
    if (entry.schema.safeParse(raw.value).success) values[entry.name] = raw.value
    else problems.push(badValue(entry, raw))
  }
  if (problems.length > 0) return { error: problems.join('\n') }
  return { settings: Object.freeze(settingsSchema.parse(values)), json: flags.json }
}

interface Flags {
  given: Map<Name, Raw>
  wants?: 'help' | 'version'
  /** The notice is for a program, whatever the terminal. */
  json: boolean
  problems: string[]
}

function readFlags(argv: readonly string[]): Flags {
  const options: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
    json: { type: 'boolean' },
  }
  for (const { flag, short, alone } of entries)
    options[flag] = { type: alone === undefined ? 'string' : 'boolean', ...(short && { short }) }
  // Not strict, so that every problem is reported at once and in our words.
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true })

  const flags: Flags = { given: new Map(), json: false, problems: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (token.value === 'help') flags.wants ??= 'help'
      // After a bad flag it is most likely that flag's value.
      else if (token.value !== 'start' && flags.problems.length === 0)
        flags.problems.push(
          `Did not expect ${JSON.stringify(token.value)}. A command comes before its flags; mfano help lists them.`,
        )
    } else if (token.kind === 'option') {
      const entry = entries.find(({ flag }) => flag === token.name)
      if (entry !== undefined) {
        const { value = entry.alone, inlineValue, rawName } = token
        // `--port --host x`: the next flag is no value; `--admin-token=-x` can still say it.
        if (value === undefined || (!inlineValue && value.startsWith('-')))
          flags.problems.push(
            `${rawName} needs a value: ${entry.expected}, for example --${entry.flag} ${entry.example}`,
          )
        else {
          const before = entry.many ? flags.given.get(entry.name) : undefined
          flags.given.set(entry.name, { value: before ? `${before.value}\n${value}` : value, from: rawName })
        }
      } else if (token.name === 'help' || token.name === 'version') flags.wants ??= token.name
      else if (token.name === 'json') flags.json = true
      else flags.problems.push(`Unknown flag ${token.rawName}.${didYouMean(token.rawName, flagNames)}`)
    }
  }
  return flags
}

/** An empty variable counts as none, as compose files write it; only a guard is never dropped in silence. */
function fromEnvironment(
  entry: { env: string; secret?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Raw | undefined {
  const value = env[entry.env]
  if (value === undefined || (value === '' && !entry.secret)) return undefined
  return { value, from: entry.env }
}

/** Kubernetes gives every pod these for a service that is called mfano. */
const serviceLink = /^MFANO_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/

function* unknownVariables(env: Readonly<Record<string, string | undefined>>): Iterable<string> {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('MFANO_') || [...envNames, ...commandVariables].includes(name) || serviceLink.test(name))
      continue
    if (name === 'MFANO_PORT' && env[name]?.includes('://')) continue
    // `MFANO_PORT` is how one would guess `PORT`.
    const guessed = entries.find(({ flag }) => name === `MFANO_${flag.toUpperCase().replaceAll('-', '_')}`)
    yield `Unknown environment variable ${name}.${guessed ? ` Did you mean "${guessed.env}"?` : didYouMean(name, envNames)}`
  }
}

function badValue(entry: (typeof entries)[number], { value, from }: Raw): string {
  const got = entry.secret ? `${value.length} characters, not shown here` : JSON.stringify(value)
  return `${from}: expected ${entry.expected}, got ${got}.${didYouMean(value, entry.known ?? [])}`
}

function helpText(): string {
  const lines = entries.map(({ flag, short, env, value, help, schema, otherwise, example: given, alone }) => {
    const byDefault = otherwise ?? String(schema.parse(undefined))
    const example = alone === undefined ? `--${flag} ${given}` : `--${flag}`
    const usage = alone === undefined ? `--${flag} <${value}>` : `--${flag}`
    return `  ${short ? `-${short}, ` : ''}${usage}\n      ${help}\n      ${env}; default: ${byDefault}; example: ${example}`
  })
  return `Starts a sandbox: every setting of one that runs. mfano alone does the same.

Usage: mfano [start] [flags]

Flags, each with its environment variable; a flag wins.

${lines.join('\n\n')}

  --json
      Say that it is ready in one line of JSON, and log in JSON, in a terminal too.

  -h, --help
      Prints this. mfano help lists the other commands.

  -v, --version
      Prints the version.

Examples:
  mfano --port 9090 --data :memory:
  mfano start --port 0 --json
  mfano --scenario ./my-scenario.yaml --watch
  MFANO_LOG=json MFANO_ADMIN_TOKEN=s3cret mfano

Exit codes: 0 when it was told to stop, 1 when it could not start, 2 for a bad setting.
`
}

/** The flags of `mfano start`, for a shell to complete. */
export function settingFlags() {
  return [
    ...entries.map(({ flag, value, help, known, alone }) => ({
      name: flag,
      help,
      ...(alone === undefined && { value }),
      ...(known && { choices: known }),
    })),
    { name: 'json', help: 'Say that it is ready in one line of JSON.' },
    { name: 'version', help: 'Prints the version.' },
  ]
}

/** What `mfano start --help` prints. */
export const settingsHelp = helpText
