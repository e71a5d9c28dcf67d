/** Drafts a merchant file from a running app. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { stringify } from 'yaml'
import { boundedText } from '../client/send.ts'
import { isLoopback } from '../core/model/callback.ts'
import { asJson } from '../core/model/json.ts'
import { errorOf, isRecord } from '../core/model/must.ts'
import { Unusable } from './subject.ts'
import { type HarRecord, maskedBy, readTrafficFile, secretsIn } from './traffic/har.ts'

export interface MerchantDraft {
  name: string
  command: string
  /** Undefined if the app has no such path. */
  ready: string
  books: string
  tick: string | undefined
  reset: string | undefined
  acts: readonly AppRoute[]
  /** Routes that could not become acts, such as `POST /payouts/{id}/cancel`. */
  leftOut: readonly string[]
  /** Address of the app's OpenAPI document. */
  contract: string | undefined
}

const READY = /^\/(?:health\w*|ready\w*|livez?|status|ping)$/i
const BOOKS = /(?:books|ledger)$/i
const PAYMENTS = /(?:payments|payouts|salaries|transactions|transfers|orders)$/i
const TICK = /(?:tick|cron|run-jobs|jobs\/run)$/i
const RESET = /reset$/i
/** Routes that the service calls, not a person. */
const CALLED_BACK = /callback|webhook|hook|notif/i

/**
 * `folder`: where the merchant file will be. `har`: traffic of the app, whose requests become the acts. Throws
 * `Unusable` if nothing answers, or the traffic cannot be read.
 */
export async function draftMerchant(url: string, folder: string, har?: string): Promise<MerchantDraft> {
  const recorded = har === undefined ? undefined : readTrafficFile(har)
  const baseUrl = url.replace(/\/+$/, '')
  const { contract, routes: declared } = await routesOf(baseUrl).catch((error: Error) => {
    const { message } = error.cause === undefined ? error : errorOf(error.cause)
    throw new Unusable(`Nobody answers at ${baseUrl}: ${message}`, {
      code: 'APP_UNREACHABLE',
      hint: 'Start your app, and name its address: mfano gauntlet --init http://localhost:3000',
    })
  })
  const secrets = recorded && secretsIn(recorded)
  const sent =
    secrets &&
    recordedRoutes(
      recorded.map((one) => maskedBy(secrets, one)),
      new URL(baseUrl).host,
    )
  const routes = sent ? [...sent, ...declared.filter(({ method }) => method === 'get')] : declared
  const found = (method: string, pattern: RegExp) =>
    routes.find((route) => route.method === method && pattern.test(route.path) && !/[{:]/.test(route.path))?.path
  const tick = found('post', TICK)
  const reset = found('post', RESET)
  const writing = routes.filter(({ method, path }) => method !== 'get' && ![tick, reset].includes(path))
  const acts = writing.filter(
    ({ method, path }) =>
      method !== 'delete' && !/[{:]|\/(?:\d+|[\da-f-]{36})(?:\/|$)/.test(path) && !CALLED_BACK.test(path),
  )
  return {
    name: basename(folder),
    command: startCommand(baseUrl, folder) ?? 'npm start',
    ready: found('get', READY) ?? '/',
    books: found('get', BOOKS) ?? found('get', PAYMENTS) ?? '/books',
    tick,
    reset,
    acts,
    leftOut: writing
      .filter((route) => !acts.includes(route))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    contract,
  }
}

/** A program elsewhere was not started on this machine. */
function startCommand(baseUrl: string, folder: string): string | undefined {
  const { hostname, port, protocol } = new URL(baseUrl)
  if (!isLoopback(hostname)) return undefined
  return listeningCommand(Number(port || (protocol === 'https:' ? 443 : 80)), folder)
}

/** Comments mark what a person should check. `schema` is the address of the JSON Schema. */
export function draftText(draft: MerchantDraft, schema: string): string {
  const { name, command, ready, books, tick, reset, acts, leftOut } = draft
  const requests =
    acts.length > 0 ? acts : [{ method: 'post', path: '/pay', body: { amount: 1000, reference: 'pay-{n}' } }]
  const file = {
    name,
    app: {
      command,
      env: {
        PORT: '{port}',
        DATA: '{dir}',
        PAYMENTS_BASE_URL: '{baseUrl}',
        PAYMENTS_KEY: '{apiKey}',
        PAYMENTS_SECRET: '{apiSecret}',
        PAYMENTS_COMPANY: '{companyId}',
      },
      ready: { get: ready },
    },
    acts: Object.fromEntries(requests.map((route) => [actName(route, requests), requestTo(route)])),
    ...(tick !== undefined && { tick: { post: tick, body: { now: '{now}' } } }),
    ...(reset !== undefined && { reset: { post: reset } }),
    books: { get: books },
  }
  const notes = [
    `# yaml-language-server: $schema=${schema}`,
    '# Drafted by mfano gauntlet --init. Check the command, the names of the variables in env, and the bodies of the acts.',
    ...(acts.length === 0 ? ['# No route was found that people use: write acts of your own in the place of pay.'] : []),
    ...(tick === undefined ? ['# Without tick or clock: follow, the periodic work of the app is not judged.'] : []),
    ...(leftOut.length > 0 ? ['# Left out, because they need an id or are called by the service:'] : []),
    ...leftOut.map((route) => `#   ${route}`),
  ]
  return `${notes.join('\n')}\n${stringify(file, { lineWidth: 0 })}`
}

function requestTo({ method, path, body }: AppRoute): object {
  return { [method]: path, ...(body !== undefined && { body }) }
}

/** The last part of the path, with the method if that name is taken. */
function actName(route: AppRoute, all: readonly AppRoute[]): string {
  const word = ({ path }: AppRoute) => path.split('/').filter(Boolean).at(-1)?.replaceAll(/\W+/g, '-') || 'act'
  const alike = all.filter((other) => word(other) === word(route))
  if (alike.length === 1) return word(route)
  return `${route.method}${route.path.replaceAll(/\W+/g, '-')}`
}

// Finds an app's routes: from its OpenAPI document, from recorded traffic, or by trying the usual paths.

interface AppRoute {
  method: string
  path: string
  body?: unknown
}

/** Where frameworks publish an OpenAPI document. */
const CONTRACTS = ['/openapi.json', '/swagger.json', '/v3/api-docs', '/api-docs', '/docs/openapi.json', '/docs-json']
/** Tried without a document. Reads only, so they are harmless. */
const USUAL_READS = ['/health', '/healthz', '/ready', '/status', '/books', '/ledger', '/payments', '/payouts', '/']
const WITHIN_MS = 5_000

interface ContractDocument {
  paths?: Record<string, Record<string, { requestBody?: { content?: Record<string, Media> } }>>
}
interface Media {
  schema?: BodySchema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}

/** Rejects if nothing answers. `contract` is the address of the OpenAPI document. */
async function routesOf(baseUrl: string): Promise<{ contract: string | undefined; routes: AppRoute[] }> {
  for (const path of CONTRACTS) {
    const answer = await ask(baseUrl + path)
    const document = answer.ok ? asContract(await boundedText(answer.body).catch(() => '')) : undefined
    if (document) return { contract: path, routes: declaredIn(document) }
  }
  const routes: AppRoute[] = []
  for (const path of USUAL_READS) if ((await ask(baseUrl + path)).ok) routes.push({ method: 'get', path })
  return { contract: undefined, routes }
}

function ask(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) })
}

function asContract(text: string): ContractDocument | undefined {
  try {
    const document: ContractDocument | null = JSON.parse(text)
    return typeof document?.paths === 'object' ? document : undefined
  } catch {
    return undefined
  }
}

function declaredIn(document: ContractDocument): AppRoute[] {
  const resolve = (ref: string) => {
    const names = ref.replace(/^#\//, '').split('/')
    return names.reduce<unknown>((inside, name) => (inside as Record<string, unknown> | undefined)?.[name], document) as
      | BodySchema
      | undefined
  }
  return Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => /^(?:get|post|put|patch|delete)$/.test(method))
      .map(([method, { requestBody }]) => {
        const media = Object.entries(requestBody?.content ?? {}).find(([type]) => type.includes('json'))?.[1]
        const [named] = Object.values(media?.examples ?? {})
        const body = media?.example ?? named?.value ?? (media?.schema && exampleBody(media.schema, resolve))
        return { method, path, ...(body !== undefined && { body }) }
      }),
  )
}

/** Requests that the app took, one of each method and path. Texts that differ from one to the next are numbered: `pay-{n}`. */
function recordedRoutes(recorded: readonly HarRecord[], host: string): AppRoute[] {
  const taken = recorded.filter((one) => one.host === host && one.status < 400 && one.status > 0)
  const byRoute = Map.groupBy(taken, ({ method, path }) => `${method.toLowerCase()} ${path.split('?')[0]}`)
  return [...byRoute].map(([route, requests]) => {
    const [method = '', path = ''] = route.split(' ')
    const bodies = requests.flatMap(({ body }) => (body === '' ? [] : [asJson(body)]))
    const [first] = bodies
    return { method, path, ...(isRecord(first) && { body: numbered(first, bodies) }) }
  })
}

function numbered(first: Record<string, unknown>, bodies: readonly unknown[]): object {
  const differs = (name: string) => bodies.some((one) => !isRecord(one) || one[name] !== first[name])
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [
      name,
      typeof value === 'string' && differs(name) ? value.replace(/\d(?=\D*$)/, '{n}') : value,
    ]),
  )
}

// Builds a request body from a schema.

/** The keywords that are read here. */
interface BodySchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  properties?: Record<string, BodySchema>
  required?: string[]
  items?: BodySchema
  allOf?: BodySchema[]
  anyOf?: BodySchema[]
  oneOf?: BodySchema[]
  format?: string
}

/** A limit, because a schema may refer to itself. */
const DEEPEST = 6

/**
 * Prefers values that the schema gives. Other texts contain placeholders, so that they differ in each use of the act.
 */
function exampleBody(schema: BodySchema, resolve: (ref: string) => BodySchema | undefined): unknown {
  return exampleOf('', schema, resolve, 0)
}

function exampleOf(
  name: string,
  given: BodySchema,
  resolve: (ref: string) => BodySchema | undefined,
  depth: number,
): unknown {
  const schema = given.$ref === undefined ? given : (resolve(given.$ref) ?? {})
  const said = schema.const ?? schema.example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0]
  if (said !== undefined) return said
  if (depth > DEEPEST) return null
  const inner = (key: string, one: BodySchema) => exampleOf(key, one, resolve, depth + 1)
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return inner(name, first)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => inner(name, one)))
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'array') return schema.items ? [inner(name, schema.items)] : []
  if (schema.properties) {
    const asked = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key) ?? true)
    return Object.fromEntries(asked.map(([key, one]) => [key, inner(key, one)]))
  }
  if (type === 'integer' || type === 'number') return /amount|price|total|salary|value/i.test(name) ? 1000 : 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return textFor(name, schema.format)
}

function textFor(name: string, format = ''): string {
  if (/phone|msisdn|mobile/i.test(name)) return '25471200000{n}'
  if (/date|time|now/i.test(format + name)) return '{now}'
  if (/mail/i.test(format + name)) return 'person{n}@example.com'
  if (/currency/i.test(name)) return 'KES'
  if (/url|uri/i.test(format)) return 'http://127.0.0.1:{port}/'
  return `${name || 'text'}-{n}`
}

// Reads from the operating system which command started the program that listens at a port.

/** Columns of /proc/net/tcp: local port, remote end, state, queues, timer, retransmissions, user, time-out, inode. */
const LISTENING = /^\s*\d+: \w+:(\w{4}) \w+:\w{4} 0A \S+ \S+ \S+\s+\d+\s+\d+ (\d+)/gm

/** Runs in `folder`. Undefined without /proc, for another user's program, for mfano itself, and for one elsewhere. */
function listeningCommand(port: number, folder: string): string | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsAt(port, table)))
  const pid = sockets.size > 0 ? orNothing(() => readdirSync('/proc'))?.find((one) => holds(one, sockets)) : undefined
  if (pid === undefined || pid === String(process.pid)) return undefined
  const [cwd, line] = [orNothing(() => readlinkSync(`/proc/${pid}/cwd`)), orNothing(() => cmdline(pid))]
  const [program = '', ...words] = line ?? []
  if (cwd !== folder || program === '') return undefined
  const inFolder = (word: string) => (word.startsWith(`${folder}/`) ? relative(folder, word) : word)
  const started = program.startsWith(`${folder}/`) ? inFolder(program) : basename(program)
  const asPort = new RegExp(`(?<=^|[=:])${port}$`)
  return [started, ...words.map((word) => quoted(inFolder(word).replace(asPort, '{port}')))].join(' ')
}

function socketsAt(port: number, table: string): string[] {
  const lines = orNothing(() => readFileSync(table, 'latin1')) ?? ''
  return [...lines.matchAll(LISTENING)].flatMap(([, at = '', inode = '']) =>
    Number.parseInt(at, 16) === port ? [`socket:[${inode}]`] : [],
  )
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  if (!/^\d+$/.test(pid)) return false
  const descriptors = orNothing(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  return descriptors.some((one) => sockets.has(orNothing(() => readlinkSync(`/proc/${pid}/fd/${one}`)) ?? ''))
}

function cmdline(pid: string): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
}

/** Processes end while they are looked at, and those of others may not be read. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
