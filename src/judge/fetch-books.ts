/** Fetches an app's books from a URL or a file: a JSON value, or CSV as text. */
import { readFile } from 'node:fs/promises'
import { errorOf, isRecord } from '../core/model/must.ts'
import { whyUnreadable } from '../hosts/node/file-access.ts'

/** The books could not be fetched, or are neither JSON nor CSV. The message says what was expected and what came. */
export class BooksUnreadable extends Error {}

const PATIENCE_MS = 30_000

export async function fetchBooks(place: string): Promise<unknown> {
  const { text, type } = /^https?:\/\//i.test(place) ? await ofAddress(place) : await ofFile(place)
  return parsed(place, text, type)
}

export function readFetched(place: string, text: string, contentType: string): unknown {
  return parsed(place, text, typeOf(contentType))
}

function parsed(place: string, text: string, type: Fetched['type']): unknown {
  const csv = type === 'csv' || (type === undefined && !/^\s*[[{]/.test(text))
  if (csv) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BooksUnreadable(
      `${place}: expected a JSON array or CSV with a header, got JSON that breaks off: ${errorOf(error).message}`,
    )
  }
}

interface Fetched {
  text: string
  type: 'csv' | 'json' | undefined
}

async function ofAddress(url: string): Promise<Fetched> {
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json, text/csv' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    text = await response.text()
  } catch (error) {
    const cause = isRecord(error) ? (error['cause'] ?? error) : error
    const { code, message = cause }: Record<string, unknown> = isRecord(cause) ? cause : {}
    throw new BooksUnreadable(`Nobody answers at ${url} (${code ?? message}). Is the app running?`)
  }
  if (!response.ok) throw new BooksUnreadable(`${url} answered ${response.status}, expected 200 with the books`)
  return { text, type: typeOf(response.headers.get('content-type') ?? '') }
}

function typeOf(contentType: string): Fetched['type'] {
  return /\bcsv\b/i.test(contentType) ? 'csv' : /\bjson\b/i.test(contentType) ? 'json' : undefined
}

async function ofFile(path: string): Promise<Fetched> {
  try {
    const text = await readFile(path, 'utf8')
    return { text, type: /\.csv$/i.test(path) ? 'csv' : /\.json$/i.test(path) ? 'json' : undefined }
  } catch (error) {
    throw new BooksUnreadable(`${path} cannot be read: ${whyUnreadable(error)}`)
  }
}
