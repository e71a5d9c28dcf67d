/**
 * Reads settings from flags and the environment. A flag wins over its variable, which wins over the default. Unknown
 * flags and bad values are errors that say what was expected. Unknown variables are warnings: Kubernetes, Docker and CI
 * systems set `MFANO_…` of their own where a service or an image is called mfano.
 */

import { keysIn } from '../../../core/model/must.ts'
import { didYouMean } from '../../../core/model/problems.ts'
import { logLevels } from '../../../hosts/node/log.ts'
import {
  defaultOf,
  durabilities,
  expectedOf,
  isSetting,
  logFormats,
  type SettingName,
  type Settings,
  type SettingTexts,
  settingsOf,
} from '../../../hosts/node/settings.ts'
import { type Flag, type TypedArguments, UsageError } from '../command.ts'
import { argumentsOf, type Taken } from '../read-arguments.ts'

interface SettingFlag extends Flag {
  setting: SettingName
  env: string
  expected: string
  names?: readonly string[]
  /** The value is never printed. */
  secret?: true
}

const onOff = { value: 'true|false', names: ['true', 'false'], example: 'true', byDefault: 'false', alone: 'true' }

/** By setting: `openWorlds` is typed as `--open-worlds` and read from `MFANO_OPEN_WORLDS`. */
const flags: Readonly<Record<SettingName, Omit<SettingFlag, 'setting' | 'name' | 'env' | 'expected'>>> = {
  port: {
    short: 'p',
    value: 'number',
    help: 'Port to listen on. 0 takes any free port.',
    example: '9090',
  },
  host: {
    value: 'address',
    help: 'Address to listen on. 127.0.0.1 takes [::1] along. 0.0.0.0 means every interface.',
    example: '0.0.0.0',
  },
  data: {
    value: 'directory',
    help: 'Folder of the worlds. :memory: keeps nothing.',
    names: [':memory:'],
    example: ':memory:',
    byDefault: '~/.local/state/mfano, or the state folder of your system',
  },
  durability: {
    value: durabilities.join('|'),
    help: 'Keep data through a crash of mfano, or also a power cut.',
    names: durabilities,
    example: 'power',
  },
  scenario: {
    value: 'name|file',
    help: 'Scenario of the default world: a shipped name or a file.',
    example: './my-scenario.yaml',
  },
  set: {
    value: 'name=value',
    help: 'A parameter of the scenario. Repeatable. One per line in the variable.',
    example: 'limit=5000',
    byDefault: 'as the scenario says',
    many: true,
  },
  seed: {
    value: 'number',
    help: "Seed of the default world's ids, people and odds.",
    example: '7',
    byDefault: 'ids are new in every new default world',
  },
  watch: { ...onOff, help: 'Reload the scenario when its file changes.' },
  record: { ...onOff, help: 'Record requests to the default world, for a capsule.' },
  openWorlds: {
    value: 'number',
    help: 'Worlds kept open at once. Others reopen on use.',
    example: '1000',
  },
  inboxMegabytes: {
    value: 'number',
    help: "Size limit of a world's inboxes. Oldest messages go first.",
    example: '500',
  },
  adminToken: {
    value: 'token',
    help: 'Token that protects the control plane and dashboard.',
    example: 's3cret',
    byDefault: 'none',
    secret: true,
  },
  tls: { ...onOff, help: 'Serve HTTPS and HTTP on one port, with its own authority.' },
  tlsNames: {
    value: 'names',
    help: 'More names for the certificate of --tls, separated by commas.',
    example: 'mfano,mfano.test',
    byDefault: 'localhost, --host, --base-url and own addresses',
  },
  callbackCa: {
    value: 'file',
    help: 'Authorities (PEM) to trust for HTTPS callbacks.',
    example: './my-ca.pem',
    byDefault: "Node's authorities and that of --tls",
  },
  callbackHost: {
    value: 'host',
    help: 'Replaces localhost in callback URLs. The first of several that resolves.',
    example: 'host.docker.internal',
    byDefault: 'none; in the image host.docker.internal, where it resolves',
  },
  baseUrl: {
    value: 'url',
    help: 'Public address, used in links such as checkoutUrl.',
    example: 'https://mfano.example.com',
    byDefault: 'the address of each request',
  },
  trustProxy: { ...onOff, help: 'Read X-Forwarded-Proto, -Host, -Prefix and -For of a proxy.' },
  log: {
    value: logFormats.join('|'),
    help: 'Format of the log on standard output.',
    names: logFormats,
    example: 'json',
    byDefault: 'pretty, or json with --json',
  },
  logLevel: {
    value: logLevels.join('|'),
    help: 'Log all events, failed callbacks and worse, or only errors.',
    names: logLevels,
    example: 'warn',
  },
}

export const settingFlags: readonly SettingFlag[] = keysIn(flags).map((setting) => {
  const name = setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const env = setting === 'port' ? 'PORT' : `MFANO_${name.toUpperCase().replaceAll('-', '_')}`
  return { ...flags[setting], setting, name, env, expected: expectedOf(setting) }
})

/** The flags of a start. All problems, those of the environment too, are told together. */
export const starting: Taken = {
  flags: [
    ...settingFlags.map((flag) => ({
      ...flag,
      // Asked for by the help alone, which costs a start nothing.
      get byDefault() {
        return flag.byDefault ?? defaultOf(flag.setting)
      },
    })),
    { name: 'json', help: 'Print one line of JSON when ready, and log in JSON.' },
    { name: 'version', short: 'v', help: 'Print the version.' },
  ],
  reportsProblems: true,
}

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingsRead {
  settings: Settings
  warnings: string[]
}

export type Reading =
  | (SettingsRead & { json: boolean; error?: undefined })
  | { error: string; settings?: undefined; warnings?: undefined; json?: undefined }

/** Pure: of the flags that were typed, and an environment. */
export function readSettings(argv: readonly string[], env: Environment): Reading {
  try {
    const given = argumentsOf(starting, argv)
    return { ...toSettings(given, env), json: given.has('json') }
  } catch (error) {
    if (error instanceof UsageError) return { error: error.message }
    throw error
  }
}

export function toSettings(given: TypedArguments, env: Environment): SettingsRead {
  const problems = [...given.problems]
  const texts: SettingTexts = { log: given.has('json') ? 'json' : 'pretty' }
  for (const flag of settingFlags) {
    const raw = fromFlag(flag, given) ?? fromEnvironment(flag, env)
    if (raw === undefined) continue
    if (isSetting(flag.setting, raw.text)) texts[flag.setting] = raw.text
    else problems.push(badValue(flag, raw))
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  const settings = settingsOf(texts)
  return { settings, warnings: [...unknownVariables(env), ...openToOthers(settings)] }
}

interface Raw {
  text: string
  from: string
}

function fromFlag({ name }: SettingFlag, given: TypedArguments): Raw | undefined {
  return given.has(name) ? { text: given.all(name).join('\n'), from: `--${name}` } : undefined
}

/**
 * An empty variable counts as unset, because compose files write it so. An empty secret is an error, because a guard
 * must not vanish silently.
 */
function fromEnvironment({ env: name, secret }: SettingFlag, env: Environment): Raw | undefined {
  const text = env[name]
  return text === undefined || (text === '' && !secret) ? undefined : { text, from: name }
}

function badValue({ expected, names, secret }: SettingFlag, { text, from }: Raw): string {
  const got = secret ? `${text.length} characters, not shown here` : JSON.stringify(text)
  return `${from}: expected ${expected}, got ${got}.${didYouMean(text, names ?? [])}`
}

/** Variables of other commands, which may be set in the same shell and are therefore no error here. */
const commandVariables = [
  'MFANO_URL',
  'MFANO_COVERAGE',
  'MFANO_CAPSULES',
  'MFANO_CLOCK',
  'MFANO_CLOCK_LEASE',
  'MFANO_CLOCK_PATIENCE',
]
const variables = settingFlags.map(({ env }) => env)
/** Kubernetes sets these in every pod if a service's name begins with mfano, so they are ignored. */
const serviceLink =
  /^MFANO_(?:\w+_)?(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/

function* unknownVariables(env: Environment): Iterable<string> {
  for (const name of Object.keys(env)) {
    if (!name.startsWith('MFANO_') || [...variables, ...commandVariables].includes(name)) continue
    if (serviceLink.test(name) && (name !== 'MFANO_PORT' || env[name]?.includes('://'))) continue
    const meant = name === 'MFANO_PORT' ? ' Did you mean "PORT"?' : didYouMean(name, variables)
    yield `Unknown environment variable ${name}.${meant}`
  }
}

function openToOthers({ host, port, adminToken }: Settings): string[] {
  if (adminToken !== undefined || /^(?:127\.|::1$|localhost$)/.test(host)) return []
  return [
    `Everybody who reaches ${host}, port ${port}, can read and control this mfano. Guard it with MFANO_ADMIN_TOKEN, or publish the port to 127.0.0.1 only.`,
  ]
}
