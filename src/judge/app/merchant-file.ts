import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import * as z from 'zod'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import { isRecord, valueAt } from '../../core/model/must.ts'
import { didYouMean, type Path, type Problem, printProblem, quote } from '../../core/model/problems.ts'
import { reportShapeProblems } from '../../core/schema-problems.ts'
import { SourceText } from '../../core/source-text.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'

const runPlaceholders = ['port', 'dir', 'baseUrl', 'apiKey', 'apiSecret', 'companyId'] as const
/** `ownPort` is that of one process, where there are several. */
const processPlaceholders = [...runPlaceholders, 'ownPort'] as const
/** `n` counts an act's uses in a run, from 1. `now` is the world's time. */
const askPlaceholders = [...runPlaceholders, 'n', 'now'] as const
export type Placeholder = (typeof askPlaceholders)[number] | (typeof processPlaceholders)[number]

export interface AppRequest {
  method: string
  path: string
  body?: unknown
  process?: string
}

export interface MerchantProcess {
  name: string
  command: string
  env: Record<string, string>
  /** Absent: the first process can be used when it answers anything, another when it first sleeps. */
  ready: AppRequest | undefined
}

export interface Merchant {
  name: string
  folder: string
  /** One at least. */
  processes: readonly MerchantProcess[]
  env: Record<string, string>
  acts: { name: string; request: AppRequest }[]
  tick: AppRequest | undefined
  follows: boolean
  books: AppRequest | undefined
  /** Makes the app clear memory, tokens and data, so that it need not be restarted. */
  reset: AppRequest | { command: string } | undefined
  prepare: string | undefined
}

class MerchantFileError extends Unusable {
  constructor(problems: readonly Problem[]) {
    super(problems.map(printProblem).join('\n'), { code: 'MERCHANT_FILE' })
  }
}

export function readMerchantFile(file: string): Merchant {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new MerchantFileError([
      { file, line: 1, column: 1, path: '', message: `cannot be read: ${whyUnreadable(error)}` },
    ])
  }
  const source = new SourceText(text, file, loadedLibraries)
  const schema = merchantSchemaFor(source.value)
  if (source.problems.length === 0) reportShapeProblems(source, schema)
  if (source.problems.length > 0) throw new MerchantFileError(source.problems)
  const read = schema.parse(source.value)
  const readRequest = (value: object, at: Path) => requestOf(value, at, source)
  const processes = processesOf(read.app, source)
  const merchant: Merchant = {
    name: read.name ?? basename(file).replace(/\.\w+$/, ''),
    folder: dirname(resolve(file)),
    processes,
    env: textsOf(read.app.env),
    acts: Object.entries(read.acts).map(([name, act]) => ({ name, request: readRequest(act, ['acts', name]) })),
    tick: read.tick && readRequest(read.tick, ['tick']),
    follows: read.clock === 'follow',
    books: read.books && readRequest(read.books, ['books']),
    reset: read.reset && resetOf(read.reset, source),
    prepare: read.prepare,
  }
  checkPlaceholders(source, ['app', 'env'], 'processes' in read.app ? processPlaceholders : runPlaceholders)
  checkPlaceholders(source, ['app', 'processes'], [...processPlaceholders, ...askPlaceholders])
  for (const at of [['app', 'command'], ['reset']]) checkPlaceholders(source, at, runPlaceholders)
  for (const at of [['acts'], ['tick'], ['books'], ['app', 'ready']]) checkPlaceholders(source, at, askPlaceholders)
  if (processes.length > 0) checkProcesses(source, processes)
  else
    source.tell(
      'is empty. Expected at least one process, such as web: { command: node web.mjs, ready: { get: /health } }.',
      ['app', 'processes'],
    )
  if (merchant.tick && merchant.follows)
    source.tell(
      'stands beside clock: follow. Expected one of both: an app that follows the clock need not be told the time.',
      ['tick'],
    )
  if (merchant.acts.length === 0)
    source.tell('is empty. Expected at least one act, such as pay: { post: /pay }.', ['acts'])
  if (source.problems.length > 0) throw new MerchantFileError(source.problems)
  return merchant
}

function processesOf(app: MerchantFileRead['app'], source: SourceText): MerchantProcess[] {
  const processOf = (name: string, at: Path, { command, env, ready }: z.output<typeof oneProcess>) => ({
    name,
    command,
    env: textsOf(env),
    ready: ready && requestOf(ready, [...at, 'ready'], source),
  })
  if (!('processes' in app)) return [{ ...processOf('app', ['app'], app), env: {} }]
  return Object.entries(app.processes).map(([name, one]) => processOf(name, ['app', 'processes', name], one))
}

function textsOf(env: Readonly<Record<string, string | number | boolean>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))
}

function resetOf(reset: NonNullable<MerchantFileRead['reset']>, source: SourceText): Merchant['reset'] {
  const { command, ...request } = reset
  if (command === undefined) return requestOf(request, ['reset'], source)
  const [other] = Object.keys(request)
  if (other !== undefined)
    source.tell('stands beside command. Expected one of both: a request, or a command.', ['reset', other])
  return { command }
}

function checkProcesses(source: SourceText, processes: readonly MerchantProcess[]): void {
  const known = processes.map(({ name }) => name)
  const acts = isRecord(source.value) && isRecord(source.value['acts']) ? Object.keys(source.value['acts']) : []
  for (const at of [...acts.map((name) => ['acts', name]), ['tick'], ['reset'], ['books']]) {
    const name = valueAt(source.value, [...at, 'process'])
    if (typeof name !== 'string' || known.includes(name)) continue
    source.tell(`${quote(name)} is none of app.processes. Known: ${known.join(', ')}.${didYouMean(name, known)}`, [
      ...at,
      'process',
    ])
  }
}

function requestOf(value: object, at: Path, source: SourceText): AppRequest {
  const given: Partial<Record<(typeof requestMethods)[number], string>> & { body?: unknown; process?: string } = value
  const named = requestMethods.filter((method) => given[method] !== undefined)
  const [method = 'get'] = named
  if (named.length !== 1)
    source.tell(
      `${named.length === 0 ? 'has no method' : `has ${named.join(' and ')}`}. Expected one of ${requestMethods.join(', ')} with its path.`,
      at,
    )
  return {
    method: method.toUpperCase(),
    path: given[method] ?? '/',
    ...(given.body !== undefined && { body: given.body }),
    ...(given.process !== undefined && { process: given.process }),
  }
}

function checkPlaceholders(source: SourceText, at: Path, known: readonly string[]): void {
  const value = valueAt(source.value, at)
  if (typeof value === 'string') {
    for (const { 0: found, 1: name = '', index } of value.matchAll(/\{(\w+)\}/g))
      if (!known.includes(name))
        source.tell(
          `${quote(found)} is nothing that is filled in here. Known: ${known.map((one) => `{${one}}`).join(', ')}.${didYouMean(name, known)}`,
          at,
          index,
        )
  } else if (typeof value === 'object' && value !== null)
    for (const key of Object.keys(value))
      checkPlaceholders(source, [...at, Array.isArray(value) ? Number(key) : key], known)
}

export function fill<Value>(value: Value, values: Partial<Record<Placeholder, string>>): Value {
  const known: Readonly<Record<string, string | undefined>> = values
  const filled = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole)
    if (Array.isArray(one)) return one.map(filled)
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, filled(inner)]))
    return one
  }
  return filled(value) as Value
}

/** Whether passing time causes work in the app, so time must advance until nothing changes any more. */
export function hasOwnWork({ tick, follows }: Merchant): boolean {
  return tick !== undefined || follows
}

const requestMethods = ['get', 'post', 'put', 'patch', 'delete'] as const

const path = z.string().regex(/^\//).describe('a path of the app, such as /salaries')
const body = z.unknown().optional().meta({ title: 'Sent as JSON, with its placeholders filled in.' })
const methods = {
  get: path.optional(),
  post: path.optional(),
  put: path.optional(),
  patch: path.optional(),
  delete: path.optional(),
  body,
}
const oneMethod = requestMethods.map((method) => ({ required: [method] }))
const processName = z
  .string()
  .optional()
  .describe('the name of a process, such as worker')
  .meta({ title: 'Which of app.processes it is sent to. Default: the first.' })
const command = z.string().min(1)

const readiness = z
  .strictObject(methods)
  .describe('a method with a path of the app, such as { get: /health }')
  .meta({ oneOf: oneMethod })
const request = (example: string) =>
  z
    .strictObject({ ...methods, process: processName })
    .describe(`a method with a path of the app, such as ${example}`)
    .meta({ oneOf: oneMethod })

const env = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe('variables of the environment, such as { PORT: "{port}", PAYMENTS_BASE_URL: "{baseUrl}" }')

const processShape = {
  command: command
    .describe('what starts the app in this folder, such as node payroll.mjs')
    .meta({ title: 'Starts it, in the folder of this file. {port} and {dir} are filled in.' }),
  env: env.meta({
    title:
      'Variables for it, besides those of the judge. {port}, {dir}, {baseUrl}, {apiKey}, {apiSecret} and {companyId} are filled in.',
  }),
  ready: readiness.optional().describe('what answers 200 when it can be used, such as { get: /health }').meta({
    title:
      'Asked until it answers 200: then it can be used. Default: any answer to GET / for the first process, sleep for others.',
  }),
}
const oneProcess = z
  .strictObject(processShape)
  .describe('how the app is started: command, env and ready')
  .meta({ title: 'How the app is started.' })

const severalProcesses = z
  .strictObject({
    processes: z
      .record(z.string(), z.strictObject(processShape).describe('how the process is started: command, env and ready'))
      .describe('processes by name, such as web: { command: node web.mjs, ready: { get: /health } }')
      .meta({
        title:
          'The processes of the app, started in this order. People and the service reach the first one, on {port}. Each may listen on its {ownPort}, too.',
      }),
    env: env.meta({ title: 'Variables for all processes.' }),
  })
  .describe('how the app is started: processes and env')

// A description is what an error expects, a title what an editor says.
const fileWith = <App extends z.ZodType>(app: App) =>
  z.strictObject({
    name: z
      .string()
      .min(1)
      .optional()
      .describe('a name, such as payroll')
      .meta({ title: 'The name of the app in reports. Default: the name of the file.' }),
    app,
    acts: z
      .record(z.string(), request('{ post: /salaries, body: { amount: 1000 } }'))
      .describe('what people do to it, by name, such as pay: { post: /salaries }')
      .meta({
        title:
          'Requests by which people use the app, each by a name of yours. {n} counts the uses of an act from 1. {now} is the time of the world.',
      }),
    tick: request('{ post: /tick, body: { now: "{now}" } }')
      .optional()
      .meta({ title: 'Has the app do its periodic work. Sent whenever the time of the world has moved.' }),
    clock: z
      .literal('follow')
      .optional()
      .describe('follow, for a Node app whose timers are to live in the time of the world')
      .meta({ title: 'follow: the timers of this Node app live in the time of the world. Instead of tick.' }),
    reset: z
      .strictObject({
        ...methods,
        process: processName,
        command: command
          .optional()
          .describe('what has the app forget everything, such as node reset.mjs')
          .meta({ title: 'A command in the folder of this file, with the environment of the app.' }),
      })
      .optional()
      .describe('a method with a path of the app, such as { post: /reset }, or a command')
      .meta({
        oneOf: [...oneMethod, { required: ['command'] }],
        title: 'Has the app forget everything: memory, tokens and data. With it, explore searches faster.',
      }),
    prepare: command.optional().describe('what installs the dependencies of another commit, such as npm ci').meta({
      title:
        'Installs the dependencies of the commit before, for prove. Default: node_modules, vendor and .venv are shared.',
    }),
    books: request('{ get: /books }')
      .optional()
      .describe('where the app shows its books, such as { get: /books }')
      .meta({
        title:
          'Shows what the app believes of its payments, as a JSON array or CSV. Without it, only its requests and callbacks are judged.',
      }),
  })

const MAPPING = 'a mapping with app and acts'
const withOne = fileWith(oneProcess).describe(MAPPING)
const withSeveral = fileWith(severalProcesses).describe(MAPPING)
type MerchantFileRead = z.output<typeof withOne> | z.output<typeof withSeveral>

/** The schema of a file's own sort, so that an error is about what was meant. */
function merchantSchemaFor(value: unknown): z.ZodType<MerchantFileRead> {
  const app = isRecord(value) ? value['app'] : undefined
  return isRecord(app) && 'processes' in app ? withSeveral : withOne
}

export function merchantSchemaText(): string {
  const schema = z.toJSONSchema(fileWith(z.union([oneProcess, severalProcesses])).describe(MAPPING), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Editors show one of both, and the title reads better.
      if (jsonSchema.title !== undefined) {
        jsonSchema.description = jsonSchema.title
        delete jsonSchema.title
      }
    },
  })
  const whole = { ...schema, title: 'A merchant file: how an app is started, used and judged.' }
  return `${JSON.stringify(whole, null, 2)}\n`
}
