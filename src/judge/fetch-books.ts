/** Fetches an app's books from a URL or a file: a JSON value, or CSV as text. */
import { open } from 'node:fs/promises'
import { isRecord } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import { whyUnreadable } from '../hosts/node/file-access.ts'
import { parseJson } from '../http/read-body.ts'
import { BOOKS_MAX_BYTES, decodeBooks } from '../inspect/reconcile.ts'

/** The books could not be fetched, or are neither JSON nor CSV. The message says what was expected and what came. */
export class BooksUnreadable extends Error {}

const PATIENCE_MS = 30_000

/** `place`: a URL, a file, or `-` for standard input. */
export async function fetchBooks(place: string): Promise<unknown> {
  const { body, type } = /^https?:\/\//i.test(place) ? await ofAddress(place) : await ofFile(place)
  return readFetched(place, body, type)
}

export function readFetched(place: string, body: Uint8Array, contentType: string): unknown {
  try {
    const text = decodeBooks(body, contentType)
    const isCsv = /\bcsv\b/i.test(contentType) || (!/\bjson\b/i.test(contentType) && !/^\s*[[{]/.test(text))
    return isCsv ? text : parseJson(text)
  } catch (error) {
    if (error instanceof Refusal)
      throw new BooksUnreadable(`${place}: expected a JSON array or CSV with a header. ${error.details}`)
    throw error
  }
}

interface Fetched {
  body: Uint8Array
  type: string
}

async function ofAddress(url: string): Promise<Fetched> {
  let response: Response
  let body: Uint8Array
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json, text/csv' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    body = await bounded(response.body ?? [], url)
  } catch (error) {
    if (error instanceof BooksUnreadable) throw error
    const cause = isRecord(error) ? (error['cause'] ?? error) : error
    const { code, message = cause }: Record<string, unknown> = isRecord(cause) ? cause : {}
    throw new BooksUnreadable(`Nobody answers at ${url} (${code ?? message}). Is the app running?`)
  }
  if (!response.ok) throw new BooksUnreadable(`${url} answered ${response.status}, expected 200 with the books`)
  return { body, type: response.headers.get('content-type') ?? '' }
}

async function ofFile(path: string): Promise<Fetched> {
  try {
    const source = path === '-' ? process.stdin : (await open(path)).createReadStream()
    const type = /\.csv$/i.test(path) ? 'text/csv' : /\.json$/i.test(path) ? 'application/json' : ''
    return { body: await bounded(source, path), type }
  } catch (error) {
    if (error instanceof BooksUnreadable) throw error
    throw new BooksUnreadable(`${path} cannot be read: ${whyUnreadable(error)}`)
  }
}

async function bounded(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, place: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > BOOKS_MAX_BYTES)
      throw new BooksUnreadable(`${place}: expected at most ${BOOKS_MAX_BYTES} bytes, got more`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
