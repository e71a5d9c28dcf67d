/** Runtime checks of facts that the types cannot express. */

/** A value that is always there. Throws where it is not, which is a defect of mfano. */
export function must<T>(value: T, what = 'a value that is always there'): NonNullable<T> {
  if (value === undefined || value === null) throw new Error(`A defect of mfano: ${what} is missing.`)
  return value
}

export function errorOf(thrown: unknown): Error & { code?: string } {
  return isError(thrown) ? thrown : new Error(String(thrown))
}

/** Also one of another realm: under jest, the errors of Node itself are. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || (isRecord(thrown) && 'message' in thrown && 'stack' in thrown)
}

export function keysIn<Key extends string>(record: Readonly<Partial<Record<Key, unknown>>>): Key[] {
  const keys: string[] = Object.keys(record)
  return keys.filter((key): key is Key => Object.hasOwn(record, key))
}

export function recordFor<Key extends string, Value>(
  keys: readonly Key[],
  make: (key: Key) => Value,
): Record<Key, Value> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<Key, Value>
}

/** Makes the value of each key once, for as long as there is the key. */
export function madeOnce<Key extends object, Rest extends unknown[], Made>(
  make: (key: Key, ...rest: Rest) => Made & {},
): (key: Key, ...rest: Rest) => Made & {} {
  const known = new WeakMap<Key, Made & {}>()
  return (key, ...rest) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(key, ...rest)
    known.set(key, made)
    return made
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Loads at the first call and shares the result. A failure is forgotten, so that the next call tries again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

/** Reads the value at a path such as `party.id` or `['rules', 2, 'then']`; undefined when there is none. */
export function valueAt(root: unknown, path: string | readonly PropertyKey[]): unknown {
  const parts: readonly PropertyKey[] = typeof path === 'string' ? path.split('.') : path
  return parts.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    root,
  )
}
