/** Finds the operation that an unknown path most likely means, such as that of `/stk/new` for `/stk-push`. */

export interface MethodAtPath {
  method: string
  path: string
}

/** Shorter words, such as `v` or `to`, say nothing. */
const LETTERS_MIN = 3

/** Undefined if no operation shares a word with the path. Words that most operations have do not count. */
export function nearestOperation<Operation extends MethodAtPath>(
  operations: readonly Operation[],
  method: string,
  path: string,
): Operation | undefined {
  const asked = wordsOf(path)
  const counts = new Map<string, number>()
  for (const one of operations)
    for (const word of new Set(wordsOf(one.path))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const telling = (word: string) => (counts.get(word) ?? 0) < operations.length / 2
  const scored = operations.map((operation) => {
    const words = wordsOf(operation.path).filter(telling)
    const shared = words.filter((word) => asked.some((one) => one === word || one.startsWith(word)))
    const isSameMethod = operation.method.toUpperCase() === method.toUpperCase()
    return { operation, score: shared.length === 0 ? 0 : shared.length * 4 + (isSameMethod ? 2 : 0) - words.length }
  })
  const best = Math.max(0, ...scored.map(({ score }) => score))
  return best > 0 ? scored.find(({ score }) => score === best)?.operation : undefined
}

function wordsOf(path: string): string[] {
  return (path.split('?')[0] ?? '')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length >= LETTERS_MIN)
}
