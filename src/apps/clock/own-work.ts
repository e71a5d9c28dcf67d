/** Work that this process does for the clock itself, and that is none of the app's. */
let depth = 0

/** Whether what begins at this moment is the clock's own. */
export function isOwnWork(): boolean {
  return depth > 0
}

/** Begins something that is not to be taken for the app's. */
export function asOwnWork<T>(begin: () => T): T {
  depth++
  try {
    return begin()
  } finally {
    depth--
  }
}
