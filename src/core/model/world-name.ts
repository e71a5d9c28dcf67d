/** Names of worlds and snapshots. */
import { didYouMean } from './did-you-mean.ts'
import { Refusal } from './refusal.ts'

/** The name of the world at the plain base URL. */
export const DEFAULT_WORLD = 'default'

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A file of such a name is a device on Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** What a name looks like, for a contract. */
export const NAME_RULES = { pattern: NAME.source, minLength: 1, maxLength: 63 } as const

/** Whether a world or a snapshot may be called so: it is part of a URL, and the name of a file. */
export function isName(text: string): boolean {
  return NAME.test(text) && !DEVICE.test(text)
}

/** Refuses a text that is no name, for a field that is to hold one. */
export function requireName(field: string, text: string): void {
  if (isName(text)) return
  const what = DEVICE.test(text)
    ? 'must not be the name of a device on Windows'
    : 'must be 1 to 63 lower-case letters, digits and inner hyphens'
  throw new Refusal('INVALID_FIELD', `${field}: ${what}, got "${text.slice(0, 80)}"`, { message: `Invalid ${field}` })
}

/** The first of `prefix1`, `prefix2` and so on that is not taken, after a number. */
export function freeName(prefix: string, after: number, taken: (name: string) => boolean): { name: string; n: number } {
  let n = after + 1
  while (taken(`${prefix}${n}`)) n++
  return { name: `${prefix}${n}`, n }
}

/** Says how to make it, and which of the known ones may be meant. */
export function noSuchWorld(id: string, known: readonly string[]): Refusal {
  return new Refusal(
    'WORLD_NOT_FOUND',
    `There is no world "${id.slice(0, 80)}".${didYouMean(id, known)} Make it: POST /_mfano/worlds {"id":"${id.slice(0, 80)}"}`,
    { status: 404, message: 'No such world' },
  )
}
