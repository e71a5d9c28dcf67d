/** Fetches the books of an app, from its address or a file, as they are sent on: a JSON value, or CSV as text. */
import { readFile } from 'node:fs/promises'
import { whyUnreadable } from '../hosts/node/file-access.ts'

/** The books cannot be had, or are neither JSON nor CSV; the message says what was expected and what came. */
export class BooksUnreadable extends Error {}

/** An app that is asked for its books answers within this many real milliseconds. */
const PATIENCE_MS = 30_000

/** Books at `http(s)://…`, or in a file. */
export async function fetchBooks(place: string): Promise<unknown> {
  const { text, type } = /^https?:\/\//i.test(place) ? await ofAddress(place) : await ofFile(place)
  return parsed(place, text, type)
}

/** Books that somebody fetched already: their text, and what their `Content-Type` says. */
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
      `${place}: expected a JSON array or CSV with a header, got JSON that breaks off: ${(error as Error).message}`,
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
    const { code, message } = ((error as Error).cause ?? error) as { code?: string; message: string }
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
