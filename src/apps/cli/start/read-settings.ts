/**
 * Reads settings from flags and the environment. A flag wins over its variable, which wins over the default. Unknown
 * flags and bad values are errors that say what was expected. Unknown variables are warnings: Kubernetes, Docker and CI
 * systems set `MFANO_…` of their own where a service or an image is called mfano.
 */

import { didYouMean } from '../../../core/model/problems.ts'
import { logLevels } from '../../../hosts/node/log.ts'
import {
  durabilities,
  expected,
  isSetting,
  logFormats,
  type SettingName,
  type Settings,
  type SettingTexts,
  settingsOf,
} from '../../../hosts/node/settings.ts'
import { type Flag, type TypedArguments, UsageError } from '../command.ts'

// The flags and variables of `mfano start`, with their help texts.

interface SettingFlag extends Flag {
  setting: SettingName
  env: string
  expected: string
  known?: readonly string[]
  /** The value is never printed. */
  secret?: true
}

const flags: readonly Omit<SettingFlag, 'expected'>[] = [
  {
    setting: 'port',
    name: 'port',
    short: 'p',
    env: 'PORT',
    value: 'number',
    help: 'Port to listen on. 0 takes any free port.',
    example: '9090',
  },
  {
    setting: 'host',
    name: 'host',
    env: 'MFANO_HOST',
    value: 'address',
    help: 'Address to listen on. 127.0.0.1 takes [::1] along. 0.0.0.0 means every interface.',
    example: '0.0.0.0',
  },
  {
    setting: 'data',
    name: 'data',
    env: 'MFANO_DATA',
    value: 'directory',
    help: 'Folder of the worlds. :memory: keeps nothing.',
    known: [':memory:'],
    example: ':memory:',
    byDefault: '~/.local/state/mfano, or the state folder of your system',
  },
  {
    setting: 'durability',
    name: 'durability',
    env: 'MFANO_DURABILITY',
    value: durabilities.join('|'),
    help: 'Keep data through a crash of mfano, or also a power cut.',
    known: durabilities,
    example: 'power',
  },
  {
    setting: 'scenario',
    name: 'scenario',
    env: 'MFANO_SCENARIO',
    value: 'name|file',
    help: 'Scenario of the default world: a shipped name or a file.',
    example: './my-scenario.yaml',
  },
  {
    setting: 'set',
    name: 'set',
    env: 'MFANO_SET',
    value: 'name=value',
    help: 'A parameter of the scenario. Repeatable. One per line in the variable.',
    example: 'limit=5000',
    byDefault: 'as the scenario says',
    many: true,
  },
  {
    setting: 'seed',
    name: 'seed',
    env: 'MFANO_SEED',
    value: 'number',
    help: "Seed of the default world's ids, people and odds.",
    example: '7',
    byDefault: 'ids are new in every new default world',
  },
  {
    setting: 'watch',
    name: 'watch',
    env: 'MFANO_WATCH',
    value: 'true|false',
    help: 'Reload the scenario when its file changes.',
    known: ['true', 'false'],
    example: 'true',
    byDefault: 'false',
    alone: 'true',
  },
  {
    setting: 'record',
    name: 'record',
    env: 'MFANO_RECORD',
    value: 'true|false',
    help: 'Record requests to the default world, for a capsule.',
    known: ['true', 'false'],
    example: 'true',
    byDefault: 'false',
    alone: 'true',
  },
  {
    setting: 'openWorlds',
    name: 'open-worlds',
    env: 'MFANO_OPEN_WORLDS',
    value: 'number',
    help: 'Worlds kept open at once. Others reopen on use.',
    example: '1000',
  },
  {
    setting: 'inboxMegabytes',
    name: 'inbox-megabytes',
    env: 'MFANO_INBOX_MEGABYTES',
    value: 'number',
    help: "Size limit of a world's inboxes. Oldest messages go first.",
    example: '500',
  },
  {
    setting: 'adminToken',
    name: 'admin-token',
    env: 'MFANO_ADMIN_TOKEN',
    value: 'token',
    help: 'Token that protects the control plane and dashboard.',
    example: 's3cret',
    byDefault: 'none',
    secret: true,
  },
  {
    setting: 'tls',
    name: 'tls',
    env: 'MFANO_TLS',
    value: 'true|false',
    help: 'Serve HTTPS and HTTP on one port, with its own authority.',
    known: ['true', 'false'],
    example: 'true',
    byDefault: 'false',
    alone: 'true',
  },
  {
    setting: 'tlsNames',
    name: 'tls-names',
    env: 'MFANO_TLS_NAMES',
    value: 'names',
    help: 'More names for the certificate of --tls, separated by commas.',
    example: 'mfano,mfano.test',
    byDefault: 'localhost, --host, --base-url and own addresses',
  },
  {
    setting: 'callbackCa',
    name: 'callback-ca',
    env: 'MFANO_CALLBACK_CA',
    value: 'file',
    help: 'Authorities (PEM) to trust for HTTPS callbacks.',
    example: './my-ca.pem',
    byDefault: "Node's authorities and that of --tls",
  },
  {
    setting: 'callbackHost',
    name: 'callback-host',
    env: 'MFANO_CALLBACK_HOST',
    value: 'host',
    help: 'Host that replaces localhost in callback URLs, for containers.',
    example: 'host.docker.internal',
    byDefault: 'none',
  },
  {
    setting: 'baseUrl',
    name: 'base-url',
    env: 'MFANO_BASE_URL',
    value: 'url',
    help: 'Public address, used in links such as checkoutUrl.',
    example: 'https://mfano.example.com',
    byDefault: 'the address of each request',
  },
  {
    setting: 'trustProxy',
    name: 'trust-proxy',
    env: 'MFANO_TRUST_PROXY',
    value: 'true|false',
    help: 'Read X-Forwarded-Proto, -Host, -Prefix and -For of a proxy.',
    known: ['true', 'false'],
    example: 'true',
    byDefault: 'false',
    alone: 'true',
  },
  {
    setting: 'log',
    name: 'log',
    env: 'MFANO_LOG',
    value: logFormats.join('|'),
    help: 'Format of the log on standard output.',
    known: logFormats,
    example: 'json',
    byDefault: 'pretty, or json with --json',
  },
  {
    setting: 'logLevel',
    name: 'log-level',
    env: 'MFANO_LOG_LEVEL',
    value: logLevels.join('|'),
    help: 'Log all events, failed callbacks and worse, or only errors.',
    known: logLevels,
    example: 'warn',
  },
]

export const settingFlags: readonly SettingFlag[] = flags.map((flag) => ({ ...flag, expected: expected[flag.setting] }))

export type Environment = Readonly<Record<string, string | undefined>>

export interface SettingsRead {
  settings: Settings
  warnings: string[]
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

function badValue({ expected, known = [], secret }: SettingFlag, { text, from }: Raw): string {
  const got = secret ? `${text.length} characters, not shown here` : JSON.stringify(text)
  return `${from}: expected ${expected}, got ${got}.${didYouMean(text, known)}`
}

/** Variables of other commands, which may be set in the same shell and are therefore no error here. */
const commandVariables = [
  'MFANO_URL',
  'MFANO_COVERAGE',
  'MFANO_CAPSULES',
  'MFANO_MUTATION',
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
    // `MFANO_PORT` is how one would guess `PORT`.
    const guessed = settingFlags.find((flag) => name === `MFANO_${flag.name.toUpperCase().replaceAll('-', '_')}`)
    const meant = guessed ? ` Did you mean "${guessed.env}"?` : didYouMean(name, variables)
    yield `Unknown environment variable ${name}.${meant}`
  }
}

function openToOthers({ host, port, adminToken }: Settings): string[] {
  if (adminToken !== undefined || /^(?:127\.|::1$|localhost$)/.test(host)) return []
  return [
    `Everybody who reaches ${host}, port ${port}, can read and control this mfano. Guard it with MFANO_ADMIN_TOKEN, or publish the port to 127.0.0.1 only.`,
  ]
}
