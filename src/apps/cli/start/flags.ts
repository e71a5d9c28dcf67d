/** The flags and variables of `mfano start`: what people read about each setting. */
import { logLevels } from '../../../hosts/node/log.ts'
import { durabilities, expected, logFormats, type SettingName } from '../../../hosts/node/settings.ts'
import type { Flag } from '../command.ts'

/** A flag that gives a setting, and the environment variable that gives it too. */
export interface SettingFlag extends Flag {
  setting: SettingName
  env: string
  expected: string
  /** Values that a mistyped one may have meant. */
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
    help: 'Port to listen on; 0 takes any free one.',
    example: '9090',
  },
  {
    setting: 'host',
    name: 'host',
    env: 'MFANO_HOST',
    value: 'address',
    help: 'Address to listen on; 0.0.0.0 is every interface of this machine.',
    example: '0.0.0.0',
  },
  {
    setting: 'data',
    name: 'data',
    env: 'MFANO_DATA',
    value: 'directory',
    help: 'Where worlds are kept, one database each; :memory: keeps nothing.',
    known: [':memory:'],
    example: ':memory:',
  },
  {
    setting: 'durability',
    name: 'durability',
    env: 'MFANO_DURABILITY',
    value: durabilities.join('|'),
    help: 'What an answered request outlives: kill -9 and crashes of mfano (process), or a power cut too, at the price of a wait for the disk in each commit (power).',
    known: durabilities,
    example: 'power',
  },
  {
    setting: 'scenario',
    name: 'scenario',
    env: 'MFANO_SCENARIO',
    value: 'name|file',
    help: 'Scenario of the world "default": a shipped name or a YAML or JSON file.',
    example: './my-scenario.yaml',
  },
  {
    setting: 'set',
    name: 'set',
    env: 'MFANO_SET',
    value: 'name=value',
    help: 'A value for a parameter of the scenario. The flag may be repeated; the variable holds one per line.',
    example: 'limit=5000',
    byDefault: 'as the scenario says',
    many: true,
  },
  {
    setting: 'watch',
    name: 'watch',
    env: 'MFANO_WATCH',
    value: 'true|false',
    help: 'Read the scenario again whenever its file, or one that it extends, is saved.',
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
    help: 'Keep what comes to the default world from when it is made or reset, in its order, for a capsule.',
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
    help: 'Worlds kept open at once; idle ones beyond it are closed and opened again unseen.',
    example: '1000',
  },
  {
    setting: 'inboxMegabytes',
    name: 'inbox-megabytes',
    env: 'MFANO_INBOX_MEGABYTES',
    value: 'number',
    help: 'Megabytes that the inboxes of a world keep in all; beyond it the oldest messages are removed.',
    example: '500',
  },
  {
    setting: 'adminToken',
    name: 'admin-token',
    env: 'MFANO_ADMIN_TOKEN',
    value: 'token',
    help: 'Guards the control plane and the dashboard.',
    example: 's3cret',
    byDefault: 'none, they are open',
    secret: true,
  },
  {
    setting: 'callbackHost',
    name: 'callback-host',
    env: 'MFANO_CALLBACK_HOST',
    value: 'host',
    help: 'Host that localhost means in callback URLs, for mfano in a container.',
    example: 'host.docker.internal',
    byDefault: 'none, localhost is where mfano runs',
  },
  {
    setting: 'baseUrl',
    name: 'base-url',
    env: 'MFANO_BASE_URL',
    value: 'url',
    help: 'Address that others reach mfano under, used in links such as checkoutUrl.',
    example: 'https://mfano.example.com',
    byDefault: 'as each request names it',
  },
  {
    setting: 'processName',
    name: 'process-name',
    env: 'MFANO_PROCESS_NAME',
    value: 'name',
    help: 'What this process is called where several share an address: lists of worlds say it.',
    example: 'mfano-1',
    byDefault: 'none',
  },
  {
    setting: 'peers',
    name: 'peers',
    env: 'MFANO_PEERS',
    value: 'urls',
    help: 'Where each process behind the same address is reached by itself, with commas in between: lists of worlds have those of all.',
    example: 'http://mfano-1:8080,http://mfano-2:8080',
    byDefault: 'none',
  },
  {
    setting: 'log',
    name: 'log',
    env: 'MFANO_LOG',
    value: logFormats.join('|'),
    help: 'How events are written to standard output.',
    known: logFormats,
    example: 'json',
    byDefault: 'pretty in a terminal, json elsewhere',
  },
  {
    setting: 'logLevel',
    name: 'log-level',
    env: 'MFANO_LOG_LEVEL',
    value: logLevels.join('|'),
    help: 'Least important events to write: all, failed callbacks and worse, or errors.',
    known: logLevels,
    example: 'warn',
  },
]

export const settingFlags: readonly SettingFlag[] = flags.map((flag) => ({ ...flag, expected: expected[flag.setting] }))
