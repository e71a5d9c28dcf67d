/** The headers that a built-in inbox keeps of a callback. */

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

export function receivedHeaders(sent: Iterable<readonly [string, string]>): Record<string, string> {
  const kept = [...sent].filter(([name]) => !DULL.has(name))
  return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)))
}
