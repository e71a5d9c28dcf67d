import type { GivenParameters } from './model/assumption.ts'
import { didYouMean, hintOf } from './model/problems.ts'
import { Refusal } from './model/refusal.ts'
import type { ClockMode, InstantUs } from './model/time.ts'

export type Start = InstantUs | string

export interface WorldRequest {
  id?: string | undefined
  scenario?: string | undefined
  parameters?: GivenParameters | undefined
  seed?: number | undefined
  assumptions?: 'drawn' | undefined
  /** Records what comes from outside, so that it can be replayed. */
  record?: boolean | undefined
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined; startUs?: Start | undefined } | undefined
}

/** Each is as in the original where it is left out. */
export interface WorldChange extends Pick<WorldRequest, 'scenario' | 'parameters' | 'record'> {
  clock?: { mode?: ClockMode | undefined; rate?: number | undefined } | undefined
}

export interface ForkRequest extends WorldChange {
  id?: string | undefined
  from: string
}

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

export type ForkSource = { world: string; snapshot?: string }

/** A world's id wins over a snapshot's name; write `world/name` for the snapshot. */
export function findSource(
  from: string,
  worlds: { has(id: string): boolean; ids(): readonly string[] },
  snapshots: { names(): readonly { world: string; name: string }[] },
): ForkSource {
  const slash = from.indexOf('/')
  if (slash !== -1) return { world: from.slice(0, slash), snapshot: from.slice(slash + 1) }
  if (worlds.has(from)) return { world: from }
  const all = snapshots.names()
  const [found, ...others] = all.filter(({ name }) => name === from)
  if (found && others.length === 0) return { world: found.world, snapshot: from }
  if (found) {
    const choice = [found, ...others].map(({ world }) => `"${world}/${from}"`).join(' or ')
    throw new Refusal('AMBIGUOUS_NAME', `from: several worlds have a snapshot "${from}"; write ${choice}`)
  }
  const known = [...worlds.ids(), ...all.flatMap(({ world, name }) => [name, `${world}/${name}`])]
  throw new Refusal(
    'SOURCE_NOT_FOUND',
    `from: there is neither a world nor a snapshot "${from.slice(0, 80)}".${didYouMean(from, known)}`,
    { hints: [hintOf('{} and', 'world.list'), hintOf('{} list what there is.', 'snapshot.list')] },
  )
}
