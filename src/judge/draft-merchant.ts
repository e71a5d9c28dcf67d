/** Drafts a merchant file from a running app, found by the curl command by which somebody has it pay, or by its callbacks. */

import { readdirSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { stringify } from 'yaml'
import { isLoopback } from '../core/model/callback.ts'
import { asJson } from '../core/model/json.ts'
import { errorOf, isRecord } from '../core/model/must.ts'
import { DEFAULT_ORGANISATION } from '../core/model/payment.ts'
import { readBooks } from '../inspect/reconcile.ts'
import { paymentsService } from '../service/service.ts'
import { listenerAt, orNothing, readIfAny } from './app/system.ts'
import { fetchBooks } from './fetch-books.ts'
import { Unusable } from './subject.ts'

export type MerchantDraft = Awaited<ReturnType<typeof draftMerchant>>

interface AppRoute {
  method: string
  path: string
  body?: unknown
}

export interface DraftOptions {
  /** Words of the curl command by which somebody has the app pay. Empty: the app is where its latest callback went. */
  curl: readonly string[]
  callbackUrls: readonly string[]
  mfano: string
}

/** Tried in this order. Reads only, so they are harmless. */
const READY = ['/health', '/healthz', '/ready', '/status']
const BOOKS = ['/books', '/ledger']
const PAYMENTS = ['/payments', '/payouts']
const WITHIN_MS = 5_000
const SHOW_ACT = "Show it: mfano gauntlet --init -- curl localhost:3000/pay -d '{}'"
const ACT_UNKNOWN = `The act is an example, because no request shows how people have your app pay. ${SHOW_ACT}`

/** Throws `Unusable` if nothing answers. */
export async function draftMerchant({ curl, mfano, callbackUrls }: DraftOptions) {
  const isShown = curl.length > 0
  const { url: baseUrl, route: act } = isShown ? routeOfCurl(curl) : routeOfCallbacks(callbackUrls, mfano)
  const answering = await answeringPaths(baseUrl, [...READY, ...BOOKS, ...PAYMENTS]).catch((error: Error) => {
    const { message } = errorOf(error.cause ?? error)
    throw new Unusable(`Nobody answers at ${baseUrl}: ${message}`, {
      ...{ code: 'APP_UNREACHABLE', hint: 'Start your app first.' },
    })
  })
  const program = programAt(baseUrl)
  const env = program ? environmentOf(program, mfano) : {}
  const told = [program?.command, ...Object.values(env)].join(' ')
  const untold = Object.entries(USUAL_ENV).filter(([, placeholder]) => !told.includes(placeholder))
  const first = (paths: readonly string[]) => paths.find((path) => answering.includes(path))
  const books = await readableBooks(baseUrl, [first(BOOKS), first(PAYMENTS), act.path.replace(/\?.*/, '')])
  return {
    folder: program?.folder,
    command: program?.command ?? 'npm start',
    env: { ...env, ...Object.fromEntries(untold) },
    ready: first(READY),
    books: books.path,
    follows: program?.isNode === true,
    act,
    unsure: [...(isShown ? [] : [ACT_UNKNOWN]), ...unsureOf(program, told), ...books.unread],
  }
}

async function answeringPaths(baseUrl: string, paths: readonly string[]): Promise<string[]> {
  const signal = AbortSignal.timeout(WITHIN_MS)
  const answers = await Promise.all(paths.map((path) => fetch(baseUrl + path, { signal })))
  return paths.filter((_, i) => answers[i]?.ok)
}

function unsureOf(program: Program | undefined, told: string): string[] {
  if (!program) return ['app.command and app.env are a guess: the system does not say which program listens there.']
  const needed = [
    ['{baseUrl}', "mfano's address", 'PAYMENTS_BASE_URL'],
    ['{port}', 'its port', 'PORT'],
  ] as const
  return needed.flatMap(([placeholder, what, name]) =>
    told.includes(placeholder)
      ? []
      : `No variable of your app holds ${what}. Have it read ${name}, or change the name in the file.`,
  )
}

/** The first path that can be read as books now; a sentence for each that cannot, although it is called so. */
async function readableBooks(baseUrl: string, paths: readonly (string | undefined)[]) {
  const unread: string[] = []
  for (const path of paths) {
    if (path === undefined) continue
    try {
      readBooks(await fetchBooks(baseUrl + path), paymentsService)
      return { path, unread: [] }
    } catch (error) {
      const { message, details = message }: Error & { details?: string } = errorOf(error)
      if (BOOKS.includes(path)) unread.push(`${path} cannot be read as books: ${details.replace(/[^.?]$/, '$&.')}`)
    }
  }
  return { path: undefined, unread }
}

/** Requests to mfano tell where the app is, and not how people have it pay. */
function routeOfCallbacks(urls: readonly string[], mfano: string): { url: string; route: AppRoute } {
  const found = urls.find((one) => isLoopback(new URL(one).hostname) && !isSameServer(one, mfano))
  if (found === undefined)
    throw new Unusable(`No request to ${mfano} named a callbackUrl of an app on this machine.`, {
      ...{ code: 'APP_UNKNOWN', hint: SHOW_ACT },
    })
  const body = { amount: 1000, reference: 'pay-{n}' }
  return { url: new URL(found).origin, route: { method: 'post', path: '/pay', body } }
}

function isSameServer(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.port === b.port && (a.hostname === b.hostname || (isLoopback(a.hostname) && isLoopback(b.hostname)))
}

export function draftText(draft: MerchantDraft, name: string, schema: string): string {
  const { command, env, ready, books, follows, act, unsure } = draft
  const { method, path, body } = act
  const file = {
    name,
    app: { command, env, ...(ready !== undefined && { ready: { get: ready } }) },
    acts: { [actName(act)]: { [method]: path, ...(body !== undefined && { body }) } },
    ...(follows && { clock: 'follow' }),
    ...(books !== undefined && { books: { get: books } }),
  }
  const notes = [
    `# yaml-language-server: $schema=${schema}`,
    '# Drafted by mfano gauntlet --init. Add what else people do to the app, and its reset, if it has one.',
    ...unsure.map((sentence) => `# Check: ${sentence}`),
    ...(books === undefined ? ['# Without books, only requests and callbacks of the app are judged.'] : []),
    ...(follows ? [] : ['# Without tick or clock: follow, the periodic work of the app is not judged.']),
  ]
  return `${notes.join('\n')}\n${stringify(file, { lineWidth: 0 })}`
}

function actName({ path }: AppRoute): string {
  const [before = ''] = path.split('?')
  return before.split('/').filter(Boolean).at(-1)?.replaceAll(/\W+/g, '-') || 'act'
}

/** Flags of curl whose value is the next word, besides those that are read. */
const VALUED = /^-(?:[AbcDeHKmoTuwxz]|-(?:header|user|output|cookie|max-time|user-agent|proxy))$/
const DATA = /^(?:-d|--(?:data(?:-raw|-binary|-ascii)?|json))$/

function routeOfCurl(words: readonly string[]): { url: string; route: AppRoute } {
  let [url, method, data] = ['', '', '']
  for (let at = 1; at < words.length; at++) {
    // -XPOST is -X POST, and --json={} is --json {}.
    const [, flag = '', joined] = /^(-[Xd]|--[\w-]+(?==))=?(.+)$/s.exec(words[at] ?? '') ?? ['', words[at]]
    const value = () => joined ?? words[++at] ?? ''
    if (/^(?:-X|--request)$/.test(flag)) method = value()
    else if (DATA.test(flag)) data = value()
    else if (VALUED.test(flag)) value()
    else if (!flag.startsWith('-')) url = flag
  }
  const { origin, pathname, search } = URL.parse(/^https?:/.test(url) ? url : `http://${url}`) ?? {}
  const body = data === '' ? undefined : asJson(data)
  if (words[0] !== 'curl' || origin === undefined || (data !== '' && !isRecord(body)))
    throw new Unusable(
      `${words.join(' ')} shows no request to an app: expected an address, and a JSON object as data.`,
      {
        code: 'CURL_UNREADABLE',
        hint: `Show one such as: mfano gauntlet --init -- curl localhost:3000/pay -d '{"amount": 1000}'`,
      },
    )
  return {
    url: origin,
    route: {
      method: (method || (data === '' ? 'get' : 'post')).toLowerCase(),
      path: `${pathname}${search}`,
      ...(isRecord(body) && { body: numbered(body) }),
    },
  }
}

/** Texts that end in digits, and references, differ in each use of the act. */
function numbered(body: Record<string, unknown>): object {
  const textOf = (name: string, text: string) => {
    if (/\d$/.test(text)) return text.replace(/\d$/, '{n}')
    return /ref|number|key|id$/i.test(name) ? `${text}-{n}` : text
  }
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? textOf(name, value) : value]),
  )
}

type Program = NonNullable<ReturnType<typeof programAt>>

/** Undefined where the system does not say, for another user's program, and for one on another machine. */
function programAt(baseUrl: string) {
  const { hostname, port: named, protocol } = new URL(baseUrl)
  const port = named || (protocol === 'https:' ? '443' : '80')
  const {
    folder = '',
    words: [program = '', ...words] = [],
    variables = [],
  } = (isLoopback(hostname) && listenerAt(Number(port))) || {}
  if (program === '') return undefined
  const inFolder = (word: string) => (word.startsWith(`${folder}/`) ? relative(folder, word) : word)
  const started = program.startsWith(`${folder}/`) ? inFolder(program) : basename(program)
  const asPort = new RegExp(`(?<=^|[=:])${port}$`)
  // A judge asks 127.0.0.1, and a program may take localhost for ::1 alone.
  const given = words.map((word) =>
    inFolder(word.replace(asPort, '{port}').replace(/^localhost:(?={port}$)/, '127.0.0.1:')),
  )
  return {
    folder,
    command: [started, ...given.map(quoted)].join(' '),
    isNode: /^node(?:js)?$/.test(basename(program)),
    port,
    source: sourceFiles(folder).map((file) => readIfAny(file) ?? ''),
    started: variablesIn([...(readIfAny(join(folder, '.env')) ?? '').split('\n'), ...variables]),
  }
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|php|rb|go|java|kt|cs|rs|exs?|properties|ya?ml)$/
const NO_SOURCE = /^(?:\..*|node_modules|vendor|venv|target|dist|build|tests?|merchant\.yaml)$/
const SOURCE_FILES_MAX = 500
const SOURCE_DEPTH_MAX = 5
function sourceFiles(folder: string, depth = 0, found: string[] = []): string[] {
  for (const one of orNothing(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    if (NO_SOURCE.test(one.name) || found.length >= SOURCE_FILES_MAX) continue
    const path = join(folder, one.name)
    if (one.isDirectory() && depth < SOURCE_DEPTH_MAX) sourceFiles(path, depth + 1, found)
    if (one.isFile() && SOURCE.test(one.name)) found.push(path)
  }
  return found
}

function variablesIn(lines: readonly string[]): [name: string, value: string][] {
  return lines.flatMap((line) => {
    const [, name, value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/s.exec(line) ?? []
    return name === undefined ? [] : [[name, value.replace(/^(["'])(.*)\1$/s, '$2')]]
  })
}

/** For what neither the command nor a variable of the app tells it. */
const USUAL_ENV = {
  PORT: '{port}',
  DATA: '{dir}',
  PAYMENTS_BASE_URL: '{baseUrl}',
  PAYMENTS_KEY: '{apiKey}',
  PAYMENTS_SECRET: '{apiSecret}',
  PAYMENTS_COMPANY: '{companyId}',
} as const
/** A read of a variable, and what follows in its line: where the app was started without it, its default stands there. */
const READ = /(?:[eE][nN][vV]\w*\W{1,4}(?:[a-z]\w*\W{1,3})?|\$\{)([A-Z]\w*)(?=([^\n;=]{0,80}))/g
/** JavaScript may take several at once: `const { PORT = 3000, HOST: host } = process.env`. */
const SEVERAL = /\{([^{}]*)\}\s*=\s*process\.env\b/g
const reads = (_: string, names: string) => names.replaceAll('=', '??').replace(/([A-Z]\w*)(?:\s*:\s*\w+)?/g, 'env.$1')
const UP_TO_VALUE = '^(?:\\W|or\\b)*'
const ADDRESS = new RegExp(`${UP_TO_VALUE}(https?:\\/\\/[^\\s"'\`)},;]+)`)
const DATA_FOLDER = /^(?:\w+_)?(?:DATA|STORAGE)(?:_(?:DIR|FOLDER|PATH))?$/
const DATA_NAME = /(?:^|_)(?:DATA|DB|SQLITE|STOR)/
const NO_DATA = /^MFANO|^XDG|CONF|KEY|CERT|SCHEMA/
const DATA_PLACE = /^(?=.*[./])(sqlite:\/\/\/?|file:)?(?:[\w.-]*\/)*([\w.-]+)\/?$/
const DATA_FILE = /["'`](sqlite:\/\/\/?|file:)?(?:[\w.-]*\/)*([\w-]+\.(?:json|db|sqlite3?))["'`]/

/** The app's variables that a run has to change. Values of others may be secrets, and stay out of the file. */
function environmentOf({ source, started, port }: Program, mfano: string): Record<string, string> {
  const { apiKey, apiSecret, uuid } = DEFAULT_ORGANISATION
  const known = Object.entries({ '{port}': port, '{apiKey}': apiKey, '{apiSecret}': apiSecret, '{companyId}': uuid })
  const changed = (name: string, held: string): string | undefined => {
    const [, url = ''] = ADDRESS.exec(held) ?? []
    if (URL.canParse(url) && isSameServer(url, mfano))
      return `{baseUrl}${new URL(url).pathname.replace(/^\/w\/[^/]+/, '').replace(/\/$/, '')}`
    const [placeholder] = known.find(([, value]) => new RegExp(`${UP_TO_VALUE}${value}(?![\\w-])`).test(held)) ?? []
    if (placeholder !== undefined) return placeholder
    if (NO_DATA.test(name)) return undefined
    if (DATA_FOLDER.test(name)) return '{dir}'
    const [, scheme = '', last] = (DATA_NAME.test(name) && DATA_PLACE.exec(held)) || (DATA_FILE.exec(held) ?? [])
    return last && `${scheme}{dir}/${last}`
  }
  const read = source.flatMap((text) =>
    Array.from(text.replaceAll(SEVERAL, reads).matchAll(READ), ([, name = '', held = '']) => [name, held]),
  )
  return Object.fromEntries(
    [...read, ...started].flatMap(([name = '', held = '']) => {
      const filled = changed(name, held)
      return filled === undefined ? [] : [[name, filled]]
    }),
  )
}

function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
