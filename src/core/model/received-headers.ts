/** Headers of a callback, as a built-in receiver keeps them. */

/** What the machinery adds says nothing about the callback. */
const DULL = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept',
  'accept-encoding',
  'authorization',
  'cookie',
])

/** Headers that came with a callback, in the order of their names; `sent` by names in lower case. */
export function receivedHeaders(sent: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = [...sent].filter(([name]) => !DULL.has(name))
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
}
