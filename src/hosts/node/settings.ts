import { isIP } from 'node:net'
import { isAbsolute, join } from 'node:path'
import { keysIn, recordFor } from '../../core/model/must.ts'
import { nameAndValue, parameterPattern } from '../../core/model/text.ts'
import { type Log, logLevels, prettyLog, silentLog } from './log.ts'

export const logFormats = ['pretty', 'json', 'off'] as const
/** A stored change survives the end of the process, or a power cut too. */
export const durabilities = ['process', 'power'] as const
export type Durability = (typeof durabilities)[number]

const hostName = /^(?!-)[a-z\d.-]{1,253}$/i
const isHost = (text: string) => isIP(text) !== 0 || hostName.test(text)

/** How a setting is read. Functions, because schemas that are used once cost a start 4 ms, a twenty-fifth. */
interface Reader<T> {
  expected: string
  /** Undefined where the text is no such value. */
  read(text: string): T | undefined
  byDefault?: T
}

const textThat = (holds: (text: string) => boolean, expected: string): Reader<string> => ({
  expected,
  read: (text) => (holds(text) ? text : undefined),
})

const matching = (pattern: RegExp, expected: string) => textThat((text) => pattern.test(text), expected)

const oneOf = <Name extends string>(names: readonly Name[], expected: string): Reader<Name> => ({
  expected,
  read: (text) => names.find((name) => name === text),
})

const wholeNumber = (least: number, most: number): Reader<number> => ({
  expected: `a whole number from ${least} to ${most}`,
  read: (text) => {
    const isNumber = /^\d+$/.test(text) && text.length <= String(most).length
    return isNumber && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
  },
})

const BOOLEANS = new Map(Object.entries({ true: true, 1: true, false: false, 0: false }))
const yesOrNo: Reader<boolean> = { expected: 'true or false', read: (text) => BOOLEANS.get(text.toLowerCase()) }

const hostNames = (text: string): readonly string[] => text.split(',').map((one) => one.trim())

function plainAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  return url.href.replace(/\/+$/, '')
}

function parametersOf(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.trim().split('\n')
  return lines.every((line) => parameterPattern.test(line)) ? Object.fromEntries(lines.map(nameAndValue)) : undefined
}

const readers = {
  port: { ...wholeNumber(0, 65_535), byDefault: 8080 },
  /** The container image sets 0.0.0.0, because nobody outside reaches its loopback. */
  host: { ...textThat(isHost, 'an IP address or a host name, without port'), byDefault: '127.0.0.1' },
  /** One file per world; `:memory:` keeps nothing. By default outside the folder in which mfano is started. */
  data: {
    ...matching(/^(?::memory:$|[^:])/, 'a directory, or :memory:'),
    get byDefault() {
      return stateFolder()
    },
  },
  /** An answered request survives the end of the process, or a power cut too. In memory, nothing survives. */
  durability: { ...oneOf(durabilities, 'process or power'), byDefault: 'process' },
  /** For the world `default`: a shipped name or the path of a file. */
  scenario: { ...matching(/./s, 'the name of a shipped scenario or the path of a file'), byDefault: 'default' },
  set: { expected: 'the name of a parameter, = and its value', read: parametersOf },
  seed: wholeNumber(0, 0xffff_ffff),
  watch: yesOrNo,
  record: yesOrNo,
  /** Idle worlds beyond this, in which nothing falls due, are closed until somebody asks for them. */
  openWorlds: { ...wholeNumber(1, 999_999), byDefault: 100 },
  inboxMegabytes: { ...wholeNumber(1, 99_999), byDefault: 64 },
  // It travels in a header, and a line break at its end is what `echo > secret` leaves behind.
  adminToken: matching(/^[\x21-\x7e]+$/, 'printable ASCII characters without spaces or line breaks'),
  tls: yesOrNo,
  tlsNames: {
    expected: 'host names and IP addresses, with commas in between',
    read: (text: string) => (hostNames(text).every(isHost) ? hostNames(text) : undefined),
  },
  callbackCa: matching(/./s, 'the path of a file with certificates as PEM'),
  callbackHost: textThat(
    (text) => hostNames(text).every(isHost),
    'an IP address or a host name, without scheme or port, or several with commas in between',
  ),
  /** The address under which others reach mfano, without a trailing slash; by default as each request named it. */
  baseUrl: { expected: 'an http or https URL without query, fragment or credentials', read: plainAddress },
  trustProxy: yesOrNo,
  log: { ...oneOf(logFormats, 'pretty, json or off'), byDefault: 'json' },
  logLevel: { ...oneOf(logLevels, 'info, warn or error'), byDefault: 'info' },
} as const satisfies Readonly<Record<string, Reader<unknown>>>

export type SettingName = keyof typeof readers
type Values = { [Name in SettingName]: NonNullable<ReturnType<(typeof readers)[Name]['read']>> }
type Always = {
  [Name in SettingName]: (typeof readers)[Name] extends { byDefault: unknown } ? Name : never
}[SettingName]
export type Settings = Readonly<
  Pick<Values, Always> & { [Name in Exclude<SettingName, Always>]?: Values[Name] | undefined }
>

export type SettingTexts = Partial<Record<SettingName, string | undefined>>

export function expectedOf(name: SettingName): string {
  return readers[name].expected
}

export function isSetting(name: SettingName, text: string | undefined): boolean {
  return text === undefined || (typeof text === 'string' && readers[name].read(text) !== undefined)
}

export function defaultOf(name: SettingName): string | undefined {
  const { byDefault }: Reader<unknown> = readers[name]
  return byDefault === undefined ? undefined : String(byDefault)
}

export function settingsOf(texts: SettingTexts): Settings {
  const wrong = keysIn(texts).find((name) => !isSetting(name, texts[name]))
  if (wrong !== undefined)
    throw new RangeError(`${wrong}: expected ${expectedOf(wrong)}, got ${JSON.stringify(texts[wrong])}.`)
  const valueFor = (name: SettingName) => {
    const [text, reader]: [string | undefined, Reader<unknown>] = [texts[name], readers[name]]
    return text === undefined ? reader.byDefault : reader.read(text)
  }
  return Object.freeze(recordFor(keysIn(readers), valueFor) as Settings)
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
  home: () => string = process.getBuiltinModule('node:os').homedir,
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
