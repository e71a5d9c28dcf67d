/** The first of each list, then the second of each, and so on. */
export function inTurn<One>(lists: readonly (readonly One[])[]): One[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
}
