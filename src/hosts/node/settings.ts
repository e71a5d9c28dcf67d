import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { keysIn, must } from '../../core/model/must.ts'
import { nameAndValue, parameterPattern } from '../../core/model/text.ts'
import { type Log, logLevels, prettyLog, silentLog } from './log.ts'

export const logFormats = ['pretty', 'json', 'off'] as const
/** A stored change survives the end of the process, or a power cut too. */
export const durabilities = ['process', 'power'] as const
export type Durability = (typeof durabilities)[number]

const hostName = /^(?!-)[a-z\d.-]{1,253}$/i
const isHost = (text: string) => isIP(text) !== 0 || hostName.test(text)

const yesOrNo = () => z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${String(most).length}}$`))
    .transform(Number)
    .refine((number) => number >= least && number <= most)

const hostNames = (text: string): readonly string[] => text.split(',').map((one) => one.trim())

function plainAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  return url.href.replace(/\/+$/, '')
}

const settingsSchema = z.strictObject({
  port: wholeNumber(0, 65_535).default(8080).describe('a whole number from 0 to 65535'),
  /** The container image sets 0.0.0.0, because nobody outside reaches its loopback. */
  host: z.string().refine(isHost).default('127.0.0.1').describe('an IP address or a host name, without port'),
  /** One file per world; `:memory:` keeps nothing. By default outside the folder in which mfano is started. */
  data: z
    .string()
    .min(1)
    .refine((path) => path === ':memory:' || !path.startsWith(':'))
    .default(() => stateFolder())
    .describe('a directory, or :memory:'),
  /** An answered request survives the end of the process, or a power cut too. In memory, nothing survives. */
  durability: z.enum(durabilities).default('process').describe('process or power'),
  /** For the world `default`: a shipped name or the path of a file. */
  scenario: z.string().min(1).default('default').describe('the name of a shipped scenario or the path of a file'),
  set: z
    .string()
    .trim()
    .refine((lines) => lines.split('\n').every((line) => parameterPattern.test(line)))
    .transform((lines): Readonly<Record<string, string>> => Object.fromEntries(lines.split('\n').map(nameAndValue)))
    .optional()
    .describe('the name of a parameter, = and its value'),
  seed: wholeNumber(0, 0xffff_ffff).optional().describe('a whole number from 0 to 4294967295'),
  watch: yesOrNo().optional().describe('true or false'),
  record: yesOrNo().optional().describe('true or false'),
  /** Idle worlds beyond this, in which nothing falls due, are closed until somebody asks for them. */
  openWorlds: wholeNumber(1, 999_999).default(100).describe('a whole number from 1 to 999999'),
  inboxMegabytes: wholeNumber(1, 99_999).default(64).describe('a whole number from 1 to 99999'),
  adminToken: z
    .string()
    // It travels in a header, and a line break at its end is what `echo > secret` leaves behind.
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .describe('printable ASCII characters without spaces or line breaks'),
  tls: yesOrNo().optional().describe('true or false'),
  tlsNames: z
    .string()
    .refine((text) => hostNames(text).every(isHost))
    .transform(hostNames)
    .optional()
    .describe('host names and IP addresses, with commas in between'),
  callbackCa: z.string().min(1).optional().describe('the path of a file with certificates as PEM'),
  callbackHost: z
    .string()
    .refine((text) => hostNames(text).every(isHost))
    .optional()
    .describe('an IP address or a host name, without scheme or port, or several with commas in between'),
  /** The address under which others reach mfano, without a trailing slash; by default as each request named it. */
  baseUrl: z
    .string()
    .refine((text) => plainAddress(text) !== undefined)
    .transform((text) => must(plainAddress(text)))
    .optional()
    .describe('an http or https URL without query, fragment or credentials'),
  trustProxy: yesOrNo().optional().describe('true or false'),
  log: z.enum(logFormats).default('json').describe('pretty, json or off'),
  logLevel: z.enum(logLevels).default('info').describe('info, warn or error'),
})

export type Settings = Readonly<z.output<typeof settingsSchema>>
export type SettingName = keyof Settings

export type SettingTexts = Partial<Record<SettingName, string | undefined>>

export function expectedOf(name: SettingName): string {
  return must(settingsSchema.shape[name].description)
}

export function isSetting(name: SettingName, text: string | undefined): boolean {
  return settingsSchema.shape[name].safeParse(text).success
}

export function defaultOf(name: SettingName): string | undefined {
  const { success, data } = settingsSchema.shape[name].safeParse(undefined)
  return success && data !== undefined ? String(data) : undefined
}

export function settingsOf(texts: SettingTexts): Settings {
  const wrong = keysIn(texts).find((name) => !isSetting(name, texts[name]))
  if (wrong !== undefined)
    throw new RangeError(`${wrong}: expected ${expectedOf(wrong)}, got ${JSON.stringify(texts[wrong])}.`)
  // Read once: code for it would take longer to make than it saves.
  return Object.freeze(settingsSchema.parse(texts, { jitless: true }))
}

/** The reason and what to do; a stack only for unknown errors. */
export function startFailure(error: unknown, { host, port, data }: Pick<Settings, 'host' | 'port' | 'data'>): string {
  if (!(error instanceof Error)) return String(error)
  const shown: Error & { code?: string; hint?: unknown; syscall?: string } = error
  const { code = '', hint, syscall } = shown
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
 * Writes to standard output.
 * @param colour whether the pretty form is coloured
 */
export async function openLog(settings: Pick<Settings, 'log' | 'logLevel'>, colour = false): Promise<Log> {
  // Imported when used: pino alone takes some 15 ms, a sixth of a start.
  if (settings.log === 'json') return (await import('./log/json.ts')).jsonLog(settings.logLevel)
  if (settings.log === 'pretty') return prettyLog(settings.logLevel, colour)
  return silentLog
}

// Where a program keeps what nobody named a place for: the folder that the platform has for that.

export function stateFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: () => string = homedir,
): string {
  const { XDG_STATE_HOME = '', LOCALAPPDATA = '' } = env
  // The specification has what is relative ignored.
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'mfano')
  if (platform === 'darwin') return join(home(), 'Library', 'Application Support', 'mfano')
  if (platform === 'win32') return join(LOCALAPPDATA || join(home(), 'AppData', 'Local'), 'mfano')
  return join(home(), '.local', 'state', 'mfano')
}

export function authorityFile(data: string): string {
  return join(data, 'tls', 'ca.pem')
}
