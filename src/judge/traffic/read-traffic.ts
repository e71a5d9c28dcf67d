import { readFileSync } from 'node:fs'
import { asJson } from '../../core/model/json.ts'
import type { ServiceOperation } from '../../core/model/kind.ts'
import { isRecord, keysIn } from '../../core/model/must.ts'
import { faultTarget } from '../../core/response-faults.ts'
import { whyUnreadable } from '../../hosts/node/file-access.ts'
import { paymentsService } from '../../service/service.ts'
import { Unusable } from '../subject.ts'

interface NameValue {
  name: string
  value: string
}

/** Parts that tools leave out of a HAR, such as bodies that they did not keep. */
export type HarPart = 'body' | 'answer' | 'media-type'

/** One exchange. `number`: counted from 1, as the file has them. */
export interface HarRecord {
  number: number
  atMs: number
  tookMs: number
  method: string
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  status: number
  mediaType: string
  answer: string
  /** Headers of the answer. Names are in lower case. */
  told: Readonly<Record<string, string>>
  /** Parts of the exchange that the file does not hold, so that they cannot differ. */
  unrecorded: ReadonlySet<HarPart>
}

const API = /^.*?(?=\/api\/(?:sandbox\/)?v1\/)/

export function belowBase(path: string): string {
  return path.replace(API, '')
}

/** `unreadable` counts entries that lack what every tool writes. */
export function readTrafficFile(file: string) {
  const all = writtenEntries(readText(file))
  const entries = all.flatMap((one, i) => recordOf(isRecord(one) ? one : {}, i + 1) ?? [])
  if (entries.length === 0)
    throw unreadable(
      `${file} holds no traffic. Expected a HAR file, or JSON lines with method, url, status, time, and both bodies.`,
    )
  return { entries: entries.sort((a, b) => a.atMs - b.atMs), unreadable: all.length - entries.length }
}

export function readText(file: string, option?: string): string {
  try {
    // It takes off a byte order mark.
    return new TextDecoder().decode(readFileSync(file))
  } catch (error) {
    throw unreadable(`${file} cannot be read: ${whyUnreadable(error)}`, option)
  }
}

export function unreadable(message: string, option?: string): Unusable {
  return new Unusable(message, { code: 'TRAFFIC_UNREADABLE', ...(option !== undefined && { option }) })
}

/** Tools leave much of an entry out. */
interface ReadEntry {
  startedDateTime?: string
  time?: number
  request?: {
    method: string
    url: string
    headers?: NameValue[]
    bodySize?: number
    postData?: { mimeType: string; text?: string }
  }
  response?: {
    status?: number
    headers?: NameValue[]
    content?: { size?: number; mimeType?: string; text?: string; encoding?: string; comment?: string }
  } | null
}

function recordOf({ request, response, startedDateTime = '', time }: ReadEntry, number: number): HarRecord | undefined {
  const url = URL.parse(request?.url ?? '')
  const atMs = Date.parse(startedDateTime)
  if (typeof request?.method !== 'string' || !url || Number.isNaN(atMs)) return undefined
  const { postData } = request
  // An aborted one has no answer in some tools, and one without a status in others.
  const { status = 0, content, headers: told } = response ?? {}
  const headers = headersOf(request.headers)
  const answerHeaders = headersOf(told)
  const mediaType = mediaTypeOf(content?.mimeType) || mediaTypeOf(answerHeaders['content-type'])
  const unrecorded: Record<HarPart, boolean> = {
    body: postData ? postData.text === undefined : (request.bodySize ?? 0) > 0 || Number(headers['content-length']) > 0,
    answer: !content?.text && (content?.comment !== undefined || content?.size !== 0),
    'media-type': mediaType === '' && Object.keys(answerHeaders).length === 0,
  }
  return {
    ...{ number, atMs, tookMs: Math.max(0, Number(time) || 0) },
    method: request.method.toUpperCase(),
    origin: url.origin,
    path: url.pathname + url.search,
    headers: { ...(postData?.mimeType && { 'content-type': postData.mimeType }), ...headers },
    body: postData?.text ?? '',
    status: Math.max(status || 0, 0),
    mediaType,
    answer: textOf(content),
    told: answerHeaders,
    unrecorded: new Set(keysIn(unrecorded).filter((part) => unrecorded[part])),
  }
}

function headersOf(headers: readonly NameValue[] = []): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
}

/** Browsers write `x-unknown` where no type was told. */
function mediaTypeOf(text = ''): string {
  const type = text.split(';')[0]?.trim().toLowerCase() ?? ''
  return type === 'x-unknown' ? '' : type
}

function textOf(content: { text?: string; encoding?: string } | undefined): string {
  const { text = '', encoding } = content ?? {}
  return encoding === 'base64'
    ? new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
    : text
}

/** Paths without names first, because a name would match their words too. */
const patterns = paymentsService.operations
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((operation) => [patternOf(faultTarget(operation)), operation] as const)

export function operationOf({ method, path }: { method: string; path: string }): ServiceOperation | undefined {
  const called = `${method} ${belowBase(path).split('?')[0]}`
  return patterns.find(([pattern]) => pattern.test(called))?.[1]
}

function patternOf(template: string): RegExp {
  const literal = template.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${literal.join('[^/]+')}$`)
}

function writtenEntries(text: string): unknown[] {
  const whole = asJson(text)
  const log = isRecord(whole) ? whole['log'] : undefined
  if (isRecord(log) && Array.isArray(log['entries'])) return log['entries']
  const lines: unknown[] = Array.isArray(whole)
    ? whole
    : isRecord(whole)
      ? [whole]
      : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : asJson(line)))
  return lines.map(harEntryOf)
}

/** Names of fields in logs: their paths, without separators. */
const lineFields = {
  method: /^(?:http|req|request)*(?:method|verb)$/,
  url: /^(?:http|req|request)*(?:(?:url|uri)(?:full|original|path)?|path|target)$/,
  host: /^(?:http|req|request|url)*(?:host|hostname|authority|domain)$/,
  status: /^(?:http|res|resp|response)*(?:status|statuscode|code)$/,
  body: /^(?:http)?(?:req|request)?(?:body|payload)(?:text|content)?$/,
  answer: /^(?:http)?(?:res|resp|response)(?:body|payload)(?:text|content)?$|^answer$/,
  time: /^(?:time|timestamp|ts|at|date|datetime|start|started|startedat|starteddatetime|timeiso8601)$/,
  tookMs: /^(?:took|duration|elapsed|latency|responsetime)(?:ms)?$/,
}
type LineField = keyof typeof lineFields

function harEntryOf(line: unknown): unknown {
  const found = new Map<LineField, unknown>()
  const look = (value: unknown, path: string): void => {
    const field = keysIn(lineFields).find((one) => lineFields[one].test(path))
    // A body may be written as JSON, or be text beside its size.
    const isWhole = !isRecord(value) || (/body|answer/.test(field ?? '') && !('content' in value || 'text' in value))
    if (field && isWhole && !found.has(field)) found.set(field, value)
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value))
        look(inner, path + name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  }
  look(line, '')
  const text = (field: LineField) => {
    const value = found.get(field) ?? ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  const url = URL.canParse(text('url')) ? text('url') : `http://${text('host') || 'unknown'}${text('url')}`
  const atMs = instantOf(found.get('time'))
  const [body, answer] = [text('body'), text('answer')]
  return {
    ...(atMs !== undefined && { startedDateTime: new Date(atMs).toISOString() }),
    time: found.get('tookMs'),
    request: { method: text('method'), url, ...(body !== '' && { postData: { mimeType: '', text: body } }) },
    response: { status: Number(text('status')), content: { text: answer, mimeType: '' } },
  }
}

/** Text without a zone counts as UTC: only times of one file are compared. Numbers are seconds, or fractions of them. */
export function instantOf(value: unknown): number | undefined {
  const number = typeof value === 'number' || /^\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : undefined
  if (number !== undefined) {
    const unit = [1e16, 1e14, 1e11].findIndex((least) => number >= least)
    return Math.round(number * ([1e-6, 1e-3, 1][unit] ?? 1000))
  }
  const [, date, time, zone = 'Z'] =
    /^\s*(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?/i.exec(String(value)) ?? []
  const ms = Date.parse(date === undefined ? String(value) : `${date}T${time ?? '00:00'}${zone.toUpperCase()}`)
  return Number.isNaN(ms) ? undefined : ms
}
