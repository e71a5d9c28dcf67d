/** Reads HAR files from any tool, and defines the entries that mfano writes. */
import { errorOf } from '../../core/model/must.ts'

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

export interface HarRecord {
  atMs: number
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  status: number
  /** Media type of the answer: lower case, without parameters. Empty if there is none. */
  mediaType: string
  answer: string
  told: HeaderMap
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
  const headers = Object.fromEntries((request.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]))
  const { content } = response
  return {
    atMs,
    method: request.method.toUpperCase(),
    path: url.pathname + url.search,
    headers,
    body: request.postData?.text ?? '',
    status: response.status,
    mediaType: (content?.mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    answer: textOf(content),
    told: headersIn((response.headers ?? []).map(({ name, value }) => [name, value])),
  }
}

function textOf(content: { text?: string; encoding?: string } | undefined): string {
  const { text = '', encoding } = content ?? {}
  return encoding === 'base64'
    ? new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)))
    : text
}
