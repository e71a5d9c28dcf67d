/** Decides which scenarios can affect an app, from what it used in an ordinary run. Pure. */

export interface UsedParts {
  operations: ReadonlySet<string>
  kinds: ReadonlySet<string>
}

export type WrittenScenario = Record<string, unknown>

const EVERY = ['*', 'any']

type Entry = { on?: string | string[] }

/**
 * Returns undefined if the scenario applies. A scenario that changes only unused kinds and operations gives the app
 * exactly the answers of the base, so skipping it changes no verdict.
 */
export function whyNot(scenario: WrittenScenario, base: WrittenScenario, used: UsedParts): string | undefined {
  const unmet = new Set<string>()
  for (const { path, entry } of changes(scenario, base)) {
    const on = entryOn(entry)
    if (on === undefined || !isTargeted(path)) return undefined
    const targets = path === 'faults' ? used.operations : used.kinds
    if (on.some((target) => EVERY.includes(target) || targets.has(target))) return undefined
    for (const target of on) unmet.add(target)
  }
  if (unmet.size === 0) return undefined
  const names = [...unmet]
  return `no ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${names.at(-1)}` : names[0]} is ever sent`
}

function isTargeted(path: string): boolean {
  return path === 'rules' || path === 'faults' || path === 'callbacks.faults' || path.startsWith('rails.')
}

function entryOn(entry: unknown): string[] | undefined {
  const { on }: Entry = typeof entry === 'object' && entry !== null ? entry : {}
  return on === undefined ? undefined : [on].flat()
}

interface Change {
  path: string
  entry: unknown
}

/** Compares lists entry by entry. Names and descriptions are ignored. */
function changes(own: WrittenScenario, base: WrittenScenario): Change[] {
  const names = ['name', 'description', 'extends', 'include', 'parameters']
  const keys = [...new Set([...Object.keys(own), ...Object.keys(base)])].filter((key) => !names.includes(key))
  return keys.flatMap((key) => differences(key, own[key], base[key]))
}

function differences(path: string, own: unknown, base: unknown): Change[] {
  if (JSON.stringify(own) === JSON.stringify(base)) return []
  // A part that one of them leaves out is an empty list or mapping there.
  const [mine, theirs] = [own ?? emptyLike(base), base ?? emptyLike(own)]
  if (isList(mine) && isList(theirs))
    return [...without(mine, theirs), ...without(theirs, mine)].map((entry) => ({ path, entry }))
  if (isMapping(mine) && isMapping(theirs))
    return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].flatMap((key) =>
      differences(`${path}.${key}`, mine[key], theirs[key]),
    )
  return [{ path, entry: own ?? base }]
}

function emptyLike(other: unknown): unknown {
  return isList(other) ? [] : isMapping(other) ? {} : undefined
}

function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((one) => JSON.stringify(one)))
  return list.filter((one) => !known.has(JSON.stringify(one)))
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
