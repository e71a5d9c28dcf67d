/** Traffic in a HAR file: what is written of an exchange, and what is read of a file, whoever wrote it. */

interface NameValue {
  name: string
  value: string
}

/** One entry of a HAR file, as far as anybody needs it here. */
export interface HarEntry {
  startedDateTime: string
  /** Real milliseconds. */
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

/** The text of a file around its entries. */
export const HAR_BEFORE = '{"log":{"version":"1.2","creator":{"name":"mfano","version":"1"},"entries":[\n'
export const HAR_AFTER = '\n]}}\n'

/** Headers of an answer that tell a client what to do, by their names in small letters. */
export type HeaderMap = Readonly<Record<string, string>>

const TELLING = /^(?:retry-after|allow|location|www-authenticate|link|etag|idempotency-.*|(?:x-)?rate-?limit.*)$/

/** Those among all headers of an answer; the others come from servers and proxies on the way. */
export function headersIn(headers: Iterable<readonly [string, string]>): HeaderMap {
  const lower = Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const)
  return Object.fromEntries(lower.filter(([name]) => TELLING.test(name)))
}

/** A request and its answer. */
export interface HarRecord {
  atMs: number
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  status: number
  /** Of the answer, in small letters, without parameters; empty where there is none. */
  mediaType: string
  answer: string
  told: HeaderMap
}

/** What a file holds is no HAR; the message says what was expected. */
export class HarUnreadable extends Error {}

/** The exchanges of a file, in the order in which they were asked. */
export function readHar(text: string): HarRecord[] {
  let entries: unknown
  try {
    entries = (JSON.parse(text) as { log?: { entries?: unknown } } | null)?.log?.entries
  } catch (error) {
    throw new HarUnreadable(`expected a HAR file, got no JSON: ${(error as Error).message}`)
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
