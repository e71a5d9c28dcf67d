/** A receiver of POST requests on a free port. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small HTTP server on a free port of this machine. */
export interface Receiver {
  url: string
  close(): Promise<void>
}

/** Listens for posts. `take` gets the text of each and says with which status to answer. */
export async function listenForPosts(take: (text: string) => Promise<number>): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      response.statusCode = await take(Buffer.concat(chunks).toString('utf8')).catch(() => 500)
      response.end()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
