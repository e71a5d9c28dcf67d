/** Names of worlds and snapshots. */
import { didYouMean } from './did-you-mean.ts'
import { hintOf } from './hint.ts'
import { Refusal } from './refusal.ts'

export const DEFAULT_WORLD = 'default'

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Windows reserves these names for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

export const NAME_RULES = { pattern: NAME.source, minLength: 1, maxLength: 63 } as const

/** Checked because a name becomes part of a URL and of a file's name. */
export function isWorldName(text: string): boolean {
  return NAME.test(text) && !DEVICE.test(text)
}

export function requireName(field: string, text: string): void {
  if (isWorldName(text)) return
  const what = DEVICE.test(text)
    ? 'must not be the name of a device on Windows'
    : 'must be 1 to 63 lower-case letters, digits and inner hyphens'
  throw new Refusal('INVALID_FIELD', `${field}: ${what}, got "${text.slice(0, 80)}"`, { message: `Invalid ${field}` })
}

export function freeName(prefix: string, after: number, taken: (name: string) => boolean): { name: string; n: number } {
  let n = after + 1
  while (taken(`${prefix}${n}`)) n++
  return { name: `${prefix}${n}`, n }
}

export function noSuchWorld(id: string, known: readonly string[]): Refusal {
  return new Refusal('WORLD_NOT_FOUND', `There is no world "${id.slice(0, 80)}".${didYouMean(id, known)}`, {
    hints: [hintOf('Make it: {}', 'world.create', { id: id.slice(0, 80) })],
  })
}
