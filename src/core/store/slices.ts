/** Goes through a whole table in slices, so that nobody waits for long. */

/** Rows that one statement looks at: a few milliseconds of work where a whole row is read. */
const SLICE = 2_500

export interface Slice {
  number: number
  /** The first key, and the last. */
  from: number
  through: number
}

export function sliceOf(key: number): Slice {
  const number = Math.floor(key / SLICE)
  return { number, from: number * SLICE, through: (number + 1) * SLICE - 1 }
}

/** All up to a key, in order. Others have their turn after each; a table of one slice is read at once. */
export function* slicesThrough(last: number, read: (slice: Slice) => void): Generator<void, void> {
  for (let slice = sliceOf(0); ; slice = sliceOf(slice.through + 1)) {
    read(slice)
    if (slice.through >= last) return
    yield
  }
}
