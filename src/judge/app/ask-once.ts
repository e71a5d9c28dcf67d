/**
 * One request on a connection of its own. On one that is kept, a server that writes head and body one after the other
 * waits for an acknowledgement of the first that the system puts off for 40 ms; and after a crash the connection is dead.
 */
import { request } from 'node:http'

/** A whole answer. */
export interface OnceAnswered {
  status: number
  text: string
  type: string
}

/** Throws when no whole answer comes, or the signal says that nobody waits for it any more. */
export function askOnce(
  url: string,
  { method, body, signal }: { method: string; body?: string; signal: AbortSignal },
): Promise<OnceAnswered> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(url, { method, headers, signal, agent: false }, (response) => {
      const { statusCode = 0, headers: received } = response
      const chunks: Buffer[] = []
      response
        .on('data', (chunk) => chunks.push(chunk))
        .on('end', () => resolve({ status: statusCode, text: textOf(chunks), type: received['content-type'] ?? '' }))
        .on('error', reject)
    })
    asked.on('error', reject).end(body)
  })
}

/** Without a byte order mark. */
function textOf(chunks: readonly Buffer[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks))
}
