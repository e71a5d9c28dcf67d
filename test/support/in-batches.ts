/** Many at once, and never so many that a busy machine gives up a connection. */
const AT_ONCE = 50

/** Calls `act` with 0 to `count - 1`, so many beside each other, each batch once the one before is done. */
export async function inBatches(count: number, act: (i: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => act(from + i))
    await Promise.all(batch)
  }
}
