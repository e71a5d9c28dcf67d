/** Has only so much work under way at a time. */

/** Does work once it is its turn, or `first` before all other that waits. */
export type Turns = <T>(work: () => Promise<T>, how?: { first: boolean }) => Promise<T>

/** So many at a time. */
export function turnsFor(most: number): Turns {
  const waiting: (() => void)[] = []
  let free = most
  return async (work, { first } = { first: false }) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => (first ? waiting.unshift(resolve) : waiting.push(resolve)))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
