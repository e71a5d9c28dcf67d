import { must } from './must.ts'

// Turns values that somebody sent into texts and numbers. `String(value)` would throw on JSON such as `{"toString":
// 1}`.

export function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

export function numberOf(value: unknown): number {
  return typeof value === 'object' ? Number.NaN : Number(value)
}

// `1 rule`, `1,200 rules`. Pass `many` for an irregular plural.

export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-GB')} ${number === 1 ? one : many}`
}

export function titleOf(path: string): string {
  return path
    .replace(/^.*\./, '')
    .replace(/(?<=.)(?:At|Id|Url)$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

// Makes text of others safe to print: callers choose paths, names and references, and must not forge a line, control
// the terminal or give a command to the runner of a job.

/** Control characters are shown as JSON writes them. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, asEscape)
}

/** Keeps line breaks and tabs. GitHub runs lines that begin with `::` or `##[`, so these get an invisible space. */
export function printable(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]/g, asEscape)
      .replace(/^([^\S\n]*)(?=::|##\[)/gm, '$1\u200b')
  )
}

/** As JSON writes it. */
export function asEscape(found: string): string {
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this takes out
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g, '')
      .replace(/[&<>"']/g, (found) => entities[found] ?? found)
  )
}

export const parameterPattern = /^[A-Za-z][\w-]*=/

export function nameAndValue(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** The text itself where it is not percent-encoded as it should be. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type QueryValue = string | number | boolean | undefined

export function filledPath(
  template: string,
  path: Readonly<Record<string, string | number>> = {},
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = template.replace(/:(\w+)/g, (whole, name: string) =>
    name in path ? encodeURIComponent(must(path[name])) : whole,
  )
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length > 0 ? `${filled}?${new URLSearchParams(given)}` : filled
}

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Only for long random secrets; a password would need a slow hash. */
export function sha256Hex(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text))
}
