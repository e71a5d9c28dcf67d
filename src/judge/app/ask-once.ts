/**
 * Sends a request on its own connection. A kept-alive connection would be slower and unsafe: a server that writes head
 * and body separately waits up to 40 ms for the delayed acknowledgement, and after a crash the connection is dead.
 */
import { request } from 'node:http'
import { BOOKS_MAX_BYTES } from '../../inspect/reconcile.ts'

export interface OnceAnswered {
  status: number
  body: Buffer
  type: string
}

/** `sent` is called when the whole request is with the operating system. An answer without end is given up at 32 MB. */
export function askOnce(
  url: string,
  { method, body, signal, sent }: { method: string; body?: string; signal: AbortSignal; sent?: () => void },
): Promise<OnceAnswered> {
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const asked = request(url, { method, headers, signal, agent: false }, (response) => {
      const { statusCode = 0, headers: received } = response
      const chunks: Buffer[] = []
      let size = 0
      response
        .on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > BOOKS_MAX_BYTES) response.destroy(new Error(`answered with more than ${BOOKS_MAX_BYTES} bytes`))
          else chunks.push(chunk)
        })
        .on('end', () =>
          resolve({ status: statusCode, body: Buffer.concat(chunks), type: received['content-type'] ?? '' }),
        )
        .on('error', reject)
    })
    if (sent) asked.once('finish', sent)
    asked.on('error', reject).end(body)
  })
}
