/** Reads a merchant file: how to start the app under test, which acts to perform, and where its books are. */
import { readFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import { type Path, type Problem, printPath, printProblem, quote } from '../../core/model/problems.ts'
import { reportShapeProblems } from '../../core/schema-problems.ts'
import { SourceText } from '../../core/source-text.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { Unusable } from '../subject.ts'
import { merchantSchema, requestMethods } from './merchant-schema.ts'

const runPlaceholders = ['port', 'dir', 'baseUrl', 'apiKey', 'apiSecret', 'companyId'] as const
/** `n` counts an act's uses in a run, from 1. `now` is the world's time. */
const askPlaceholders = [...runPlaceholders, 'n', 'now'] as const
export type Placeholder = (typeof askPlaceholders)[number]

export interface AppRequest {
  method: string
  path: string
  /** Sent as JSON. Absent: no body is sent. */
  body?: unknown
}

export interface Merchant {
  name: string
  folder: string
  command: string
  env: Record<string, string>
  ready: AppRequest
  acts: { name: string; request: AppRequest }[]
  tick: AppRequest | undefined
  follows: boolean
  books: AppRequest
  /** Makes the app clear memory, tokens and data, so that it need not be restarted. */
  reset: AppRequest | undefined
}

/** The message lists each problem with its line and column. */
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
  return parseMerchant(text, file)
}

function parseMerchant(text: string, file: string): Merchant {
  const source = new SourceText(text, file, loadedLibraries)
  if (source.problems.length === 0) reportShapeProblems(source, merchantSchema)
  if (source.problems.length > 0) throw new MerchantFileError(source.problems)
  const read = merchantSchema.parse(source.value)
  const asked = (value: object, at: Path) => requestOf(value, at, source)
  const merchant = {
    name: read.name ?? basename(file).replace(/\.\w+$/, ''),
    folder: dirname(resolve(file)),
    command: read.app.command,
    env: Object.fromEntries(Object.entries(read.app.env ?? {}).map(([name, value]) => [name, String(value)])),
    ready: asked(read.app.ready, ['app', 'ready']),
    acts: Object.entries(read.acts).map(([name, act]) => ({ name, request: asked(act, ['acts', name]) })),
    tick: read.tick && asked(read.tick, ['tick']),
    follows: read.clock === 'follow',
    books: asked(read.books, ['books']),
    reset: read.reset && asked(read.reset, ['reset']),
  }
  checkPlaceholders(source, ['app', 'command'], runPlaceholders)
  checkPlaceholders(source, ['app', 'env'], runPlaceholders)
  for (const part of ['acts', 'tick', 'books']) checkPlaceholders(source, [part], askPlaceholders)
  checkPlaceholders(source, ['app', 'ready'], askPlaceholders)
  checkPlaceholders(source, ['reset'], runPlaceholders)
  if (merchant.tick && merchant.follows)
    source.report(
      source.offsetOf(['tick']),
      'tick',
      'stands beside clock: follow. Expected one of both: an app that follows the clock need not be told the time.',
    )
  if (merchant.acts.length === 0)
    source.report(
      source.offsetOf(['acts']),
      'acts',
      'is empty. Expected at least one act, such as pay: { post: /pay }.',
    )
  if (source.problems.length > 0) throw new MerchantFileError(source.problems)
  return merchant
}

function requestOf(value: object, at: Path, source: SourceText): AppRequest {
  const given: Partial<Record<(typeof requestMethods)[number], string>> & { body?: unknown } = value
  const named = requestMethods.filter((method) => given[method] !== undefined)
  const [method = 'get'] = named
  if (named.length !== 1)
    source.report(
      source.offsetOf(at),
      printPath(at),
      `${named.length === 0 ? 'has no method' : `has ${named.join(' and ')}`}. Expected one of ${requestMethods.join(', ')} with its path.`,
    )
  return {
    method: method.toUpperCase(),
    path: given[method] ?? '/',
    ...(given.body !== undefined && { body: given.body }),
  }
}

function checkPlaceholders(source: SourceText, at: Path, known: readonly string[]): void {
  const value = at.reduce<unknown>(
    (inside, part) => (typeof inside === 'object' && inside !== null ? Reflect.get(inside, part) : undefined),
    source.value,
  )
  if (typeof value === 'string') {
    for (const { 0: found, 1: name = '', index } of value.matchAll(/\{(\w+)\}/g))
      if (!known.includes(name))
        source.report(
          source.offsetWithin(at, index),
          printPath(at),
          `${quote(found)} is nothing that is filled in here. Known: ${known.map((one) => `{${one}}`).join(', ')}.${didYouMean(name, known)}`,
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
export function hasOwnWork({ tick, follows }: Pick<Merchant, 'tick' | 'follows'>): boolean {
  return tick !== undefined || follows
}
