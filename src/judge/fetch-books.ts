import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { boundedBytes, TooLong } from '../client/send.ts'
import { errorOf } from '../core/model/must.ts'
import { Refusal } from '../core/model/refusal.ts'
import { whyUnreadable } from '../hosts/node/file-access.ts'
import { parseJson } from '../http/read-body.ts'
import { BOOKS_MAX_BYTES, decodeBooks } from '../inspect/reconcile.ts'

/** The books could not be fetched, or are neither JSON nor CSV. The message says what was expected and what came. */
export class BooksUnreadable extends Error {}

const PATIENCE_MS = 30_000

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

async function ofAddress(url: string) {
  let response: Response
  let body: Uint8Array
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json, text/csv' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    body = await boundedBytes(response.body, BOOKS_MAX_BYTES)
  } catch (error) {
    if (error instanceof TooLong) throw new BooksUnreadable(`${url}: ${error.message}`)
    const { code, message } = errorOf(errorOf(error).cause ?? error)
    throw new BooksUnreadable(`Nobody answers at ${url} (${code ?? message}). Is the app running?`)
  }
  if (!response.ok) throw new BooksUnreadable(`${url} answered ${response.status}, expected 200 with the books`)
  return { body, type: response.headers.get('content-type') ?? '' }
}

async function ofFile(path: string) {
  try {
    const source = path === '-' ? process.stdin : (await open(path)).createReadStream()
    const type = /\.csv$/i.test(path) ? 'text/csv' : /\.json$/i.test(path) ? 'application/json' : ''
    return { body: await boundedBytes(Readable.toWeb(source) as ReadableStream, BOOKS_MAX_BYTES), type }
  } catch (error) {
    if (error instanceof TooLong) throw new BooksUnreadable(`${path}: ${error.message}`)
    throw new BooksUnreadable(`${path} cannot be read: ${whyUnreadable(error)}`)
  }
}
