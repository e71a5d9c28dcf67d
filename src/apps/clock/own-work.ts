let depth = 0

export function isOwnWork(): boolean {
  return depth > 0
}

export function asOwnWork<T>(begin: () => T): T {
  depth++
  try {
    return begin()
  } finally {
    depth--
  }
}
