/** Writes traffic to a HAR file, without known secrets. */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { errorOf } from '../../core/model/must.ts'
import { Unusable } from '../subject.ts'
import { HAR_AFTER, HAR_BEFORE, type HarEntry } from './har.ts'
import type { Exchanged } from './recording-proxy.ts'
import type { Secrets } from './secrets.ts'

const OWNER_ONLY = 0o600

/** The file is a complete HAR after every entry, so that it can be read at any time. */
export class HarFile {
  readonly path: string
  readonly #file: number
  #end = 0
  entries = 0

  constructor(path: string) {
    this.path = path
    try {
      this.#file = openSync(path, 'wx', OWNER_ONLY)
    } catch (error) {
      const { code, message } = errorOf(error)
      const hint = code === 'EEXIST' ? 'It is there already: name a new one with --out.' : message
      throw new Unusable(`${path} cannot be written.`, { code: 'COMMAND_FAILED', hint })
    }
    this.#end = writeSync(this.#file, HAR_BEFORE, 0)
    writeSync(this.#file, HAR_AFTER, this.#end)
  }

  add(entry: HarEntry): void {
    const text = `${this.entries === 0 ? '' : ',\n'}${JSON.stringify(entry)}`
    const bytes = writeSync(this.#file, text + HAR_AFTER, this.#end)
    this.#end += bytes - Buffer.byteLength(HAR_AFTER)
    this.entries++
  }

  /** Rewrites earlier entries, because a secret may become known later. */
  change(changed: (text: string) => string): void {
    const text = readFileSync(this.path, 'utf8')
    const now = changed(text)
    if (now === text) return
    const bytes = writeSync(this.#file, now, 0)
    ftruncateSync(this.#file, bytes)
    this.#end = bytes - Buffer.byteLength(HAR_AFTER)
  }

  close(): void {
    closeSync(this.#file)
  }
}

export function harEntryOf(exchange: Exchanged, secrets: Secrets): HarEntry {
  const { method, headers, body, status, answerHeaders, answer, beganMs, tookMs } = exchange
  const named = (all: Exchanged['headers']) =>
    Object.entries(all).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => ({ name, value: secrets.header(name, one) })),
    )
  const requestHeaders = named(headers)
  const sent = secrets.body(body ?? '')
  const told = secrets.body(answer ?? '')
  const url = new URL(exchange.url)
  const path = secrets.path(url.pathname + url.search)
  return {
    startedDateTime: new Date(beganMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url: url.origin + path,
      httpVersion: 'HTTP/1.1',
      headers: requestHeaders,
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: sent.length,
      ...(sent !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: sent } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: named(answerHeaders),
      cookies: [],
      content: {
        size: told.length,
        mimeType: answerHeaders['content-type'] ?? '',
        text: told,
        ...(answer === undefined && { comment: 'longer than what is kept, or packed in a way that is not known' }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: told.length,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  }
}
