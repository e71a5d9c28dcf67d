/** The settings of a running mfano: what each may be, as a text from a flag or a variable, and what that means. */
import { isIP } from 'node:net'
import * as z from 'zod'
import { nameAndValue, parameterPattern } from '../../core/model/name-value.ts'
import { type Log, logLevels, silentLog } from './log.ts'
import { stateFolder } from './storage/state-folder.ts'

export const logFormats = ['pretty', 'json', 'off'] as const
/** What an acknowledged change outlives: the end of the process, however it comes, or that of the power too. */
export const durabilities = ['process', 'power'] as const
export type Durability = (typeof durabilities)[number]

const hostName = /^(?!-)[a-z\d.-]{1,253}$/i
const isHost = (text: string) => isIP(text) !== 0 || hostName.test(text)

const hostNames = (text: string): readonly string[] => text.split(',').map((one) => one.trim())

/** The address without its last slash; undefined unless it is one that paths can be put behind. */
function plainAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  return url.href.replace(/\/+$/, '')
}

/** Addresses with commas in between, as they are; undefined where one of them is none. */
function plainAddresses(text: string): readonly string[] | undefined {
  const addresses = text.split(',').map((one) => plainAddress(one.trim()))
  return addresses.every((one) => one !== undefined) ? addresses : undefined
}

const settingsSchema = z.strictObject({
  /** TCP port to listen on; 0 lets the system choose a free one. */
  port: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .default(8080),
  /** Address to listen on. The container image sets 0.0.0.0, since nobody outside reaches its loopback. */
  host: z.string().refine(isHost).default('127.0.0.1'),
  /** Directory of the worlds' databases, one file per world; `:memory:` keeps nothing. By default not the folder it is started in. */
  data: z
    .string()
    .min(1)
    .refine((path) => path === ':memory:' || !path.startsWith(':'))
    .default(() => stateFolder()),
  /** What an answered request has survived; nothing is kept in memory. */
  durability: z.enum(durabilities).default('process'),
  /** What the world `default` starts with: a shipped scenario's name or the path of a file. */
  scenario: z.string().min(1).default('default'),
  /** Values for the scenario's parameters, by name; undefined: those that it has by itself. */
  set: z
    .string()
    .trim()
    .refine((lines) => lines.split('\n').every((line) => parameterPattern.test(line)))
    .transform((lines) => Object.fromEntries(lines.split('\n').map(nameAndValue)) as Readonly<Record<string, string>>)
    .optional(),
  /** Reads the scenario's files again when they are saved; undefined: it is read once. */
  watch: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  /** Keeps what comes to the default world, from its beginning on, for capsules; undefined: it is not kept. */
  record: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  /** Worlds that are open at once; idle ones beyond it are closed until they are asked for or have something to do. */
  openWorlds: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((count) => count >= 1)
    .default(100),
  /** Megabytes that the inboxes of a world keep in all; the oldest messages give way. */
  inboxMegabytes: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((count) => count >= 1)
    .default(64),
  /** Guards the control plane and the dashboard; undefined: they are open. */
  adminToken: z
    .string()
    // It travels in a header, and a line break at its end is what `echo > secret` leaves behind.
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  /** Speaks HTTPS too, on the same port, with certificates of an authority of its own; undefined: HTTP alone. */
  tls: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
  /** Host names and addresses that its certificate is for, besides those of this machine; undefined: none. */
  tlsNames: z
    .string()
    .refine((text) => hostNames(text).every(isHost))
    .transform(hostNames)
    .optional(),
  /** A file with certificates of authorities that may vouch for receivers of callbacks; undefined: those of Node. */
  callbackCa: z.string().min(1).optional(),
  /** Host that stands for localhost in callback URLs; undefined: localhost is this machine. */
  callbackHost: z.string().refine(isHost).optional(),
  /** Address under which others reach mfano, without a last slash; undefined: as each request named it. */
  baseUrl: z
    .string()
    .refine((text) => plainAddress(text) !== undefined)
    .transform((text) => plainAddress(text) as string)
    .optional(),
  /** What this process is called among others behind one address; undefined: it has no name. */
  processName: z
    .string()
    .regex(/^[\w.-]{1,63}$/)
    .optional(),
  /** Addresses of the processes behind the same address, whose worlds are listed too; undefined: it knows of none. */
  peers: z
    .string()
    .refine((text) => plainAddresses(text) !== undefined)
    .transform((text) => plainAddresses(text) as readonly string[])
    .optional(),
  /** How events are written to standard output. */
  log: z.enum(logFormats).default('json'),
  /** The least important events that are still written. */
  logLevel: z.enum(logLevels).default('info'),
})

/** The settings of one mfano process; frozen. */
export type Settings = Readonly<z.output<typeof settingsSchema>>
export type SettingName = keyof Settings

/** What a text must be to be a setting. */
export const expected: Readonly<Record<SettingName, string>> = {
  port: 'a whole number from 0 to 65535',
  host: 'an IP address or a host name, without port',
  data: 'a directory, or :memory:',
  durability: 'process or power',
  scenario: 'the name of a shipped scenario or the path of a file',
  set: 'the name of a parameter, = and its value',
  watch: 'true or false',
  record: 'true or false',
  openWorlds: 'a whole number from 1 to 999999',
  inboxMegabytes: 'a whole number from 1 to 99999',
  adminToken: 'printable ASCII characters without spaces or line breaks',
  tls: 'true or false',
  tlsNames: 'host names and IP addresses, with commas in between',
  callbackCa: 'the path of a file with certificates as PEM',
  callbackHost: 'an IP address or a host name, without scheme or port',
  baseUrl: 'an http or https URL without query, fragment or credentials',
  processName: '1 to 63 letters, digits, dots, hyphens and underscores',
  peers: 'http or https URLs without query, fragment or credentials, with commas in between',
  log: 'pretty, json or off',
  logLevel: 'info, warn or error',
}

/** Settings as texts; those that are left out have their defaults. */
export type SettingTexts = Partial<Record<SettingName, string>>

/** Whether a text is a value that a setting can have. */
export function isSetting(name: SettingName, text: string): boolean {
  return settingsSchema.shape[name].safeParse(text).success
}

/** The default of a setting as people read it; undefined where it has none of its own. */
export function defaultOf(name: SettingName): string | undefined {
  const { success, data } = settingsSchema.shape[name].safeParse(undefined)
  return success && data !== undefined ? String(data) : undefined
}

/** The settings that texts come to. Throws a `RangeError` that names the first that cannot be one. */
export function settingsOf(texts: SettingTexts): Settings {
  const wrong = (Object.keys(texts) as SettingName[]).find((name) => !isSetting(name, texts[name] as string))
  if (wrong !== undefined)
    throw new RangeError(`${wrong}: expected ${expected[wrong]}, got ${JSON.stringify(texts[wrong])}.`)
  return Object.freeze(settingsSchema.parse(texts))
}

/** What a failed start says: the reason and what to do, and a stack only when we do not know better. */
export function startFailure(error: unknown, { host, port, data }: Pick<Settings, 'host' | 'port' | 'data'>): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', hint, syscall } = error as { code?: string; hint?: unknown; syscall?: string }
  if (error.name === 'ScenarioError') return error.message
  if (typeof hint === 'string') return `${error.message}\n${hint}`
  if (code === 'EADDRINUSE')
    return `Port ${port} of ${host} is in use. Stop what listens there, or choose another port: --port ${port === 9090 ? 9091 : 9090} (--port 0 takes any free one).`
  if (code === 'EACCES' && syscall === 'listen')
    return `Port ${port} is reserved for the administrator. Choose one from 1024 on: --port 8080.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Choose one that it has: --host 127.0.0.1, or --host 0.0.0.0 for all of them.`
  if (
    (code === 'ENOENT' && syscall === 'mkdir') ||
    ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'].includes(code)
  )
    return `The data directory ${data} cannot be used (${error.message}). Choose another: --data ./data, or --data :memory: to keep nothing.`
  return `mfano could not start, and does not know why:\n${error.stack ?? error.message}`
}

/**
 * The log that the settings ask for, to standard output.
 * @param colour whether the pretty form is coloured
 */
export async function openLog(settings: Pick<Settings, 'log' | 'logLevel'>, colour = false): Promise<Log> {
  // Imported when used: pino alone takes some 15 ms, a sixth of a start.
  if (settings.log === 'json') return (await import('./log/json.ts')).jsonLog(settings.logLevel)
  if (settings.log === 'pretty') return (await import('./log/pretty.ts')).prettyLog(settings.logLevel, colour)
  return silentLog
}
