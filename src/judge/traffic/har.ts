/** Reads HAR files from any tool, and defines the entries that mfano writes. */
import { errorOf, keysIn } from '../../core/model/must.ts'

interface NameValue {
  name: string
  value: string
}

export interface HarEntry {
  startedDateTime: string
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    headers: NameValue[]
    queryString: NameValue[]
    cookies: []
    headersSize: -1
    bodySize: number
    postData?: { mimeType: string; text: string }
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    headers: NameValue[]
    cookies: []
    content: { size: number; mimeType: string; text: string; comment?: string }
    redirectURL: string
    headersSize: -1
    bodySize: number
  }
  cache: Record<string, never>
  timings: { send: 0; wait: number; receive: 0 }
}

export const HAR_BEFORE = '{"log":{"version":"1.2","creator":{"name":"mfano","version":"1"},"entries":[\n'
export const HAR_AFTER = '\n]}}\n'

/** Headers that affect a client's behaviour. Names are in lower case. */
export type HeaderMap = Readonly<Record<string, string>>

const TELLING = /^(?:retry-after|allow|location|www-authenticate|link|etag|idempotency-.*|(?:x-)?rate-?limit.*)$/

/** Leaves out headers that servers and proxies add on the way. */
export function headersIn(headers: Iterable<readonly [string, string]>): HeaderMap {
  const lower = Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(lower.filter(([name]) => TELLING.test(name)))
}

/** Parts that tools leave out of a HAR: bodies that they did not keep, and headers that they take for secrets. */
export type HarPart = 'body' | 'answer' | 'media-type' | 'headers'

export interface HarRecord {
  atMs: number
  method: string
  host: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** 0 if no answer came. */
  status: number
  /** Media type of the answer: lower case, without parameters. Empty if there is none. */
  mediaType: string
  answer: string
  told: HeaderMap
  /** Parts of the exchange that the file does not hold, so that they cannot differ. */
  unrecorded: ReadonlySet<HarPart>
}

export class HarUnreadable extends Error {}

export function readHar(text: string): HarRecord[] {
  let entries: unknown
  try {
    const har: { log?: { entries?: unknown } } | null = JSON.parse(text)
    entries = har?.log?.entries
  } catch (error) {
    throw new HarUnreadable(`expected a HAR file, got no JSON: ${errorOf(error).message}`)
  }
  if (!Array.isArray(entries)) throw new HarUnreadable('expected a HAR file, { "log": { "entries": [ … ] } }')
  return entries.map((entry, at) => recorded(entry, at)).sort((a, b) => a.atMs - b.atMs)
}

function recorded(entry: Partial<HarEntry> | null, at: number): HarRecord {
  const { request, response, startedDateTime = '' } = entry ?? {}
  const url = URL.parse(request?.url ?? '')
  const atMs = Date.parse(startedDateTime)
  if (!request || !response || !url || Number.isNaN(atMs))
    throw new HarUnreadable(`log.entries[${at}]: expected startedDateTime, a request with a url, and a response`)
  const { postData } = request
  const { content } = response
  const headers = headersOf(request.headers)
  const answerHeaders = headersOf(response.headers)
  const mediaType = mediaTypeOf(content?.mimeType) || mediaTypeOf(answerHeaders['content-type'])
  const hasHeaders = Object.keys(answerHeaders).length > 0
  const unrecorded: Record<HarPart, boolean> = {
    body: postData ? postData.text === undefined : request.bodySize > 0 || Number(headers['content-length']) > 0,
    answer: !content?.text && (content?.comment !== undefined || content?.size !== 0),
    'media-type': mediaType === '' && !hasHeaders,
    headers: !hasHeaders,
  }
  return {
    atMs,
    method: request.method.toUpperCase(),
    host: url.host,
    path: url.pathname + url.search,
    headers: { ...(postData?.mimeType && { 'content-type': postData.mimeType }), ...headers },
    body: postData?.text ?? '',
    status: Math.max(response.status || 0, 0),
    mediaType,
    answer: textOf(content),
    told: headersIn(Object.entries(answerHeaders)),
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
