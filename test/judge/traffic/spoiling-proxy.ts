/** Something between a merchant and mfano that changes answers, as a service does that is another one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** An answer on its way. */
export interface Passing {
  method: string
  path: string
  status: number
  headers: Record<string, string>
  text: string
}

/** Passes requests on to `upstream`, and each answer through `spoil`. Gives its address; gone with the test. */
export async function spoilingProxy(upstream: string, spoil: (answer: Passing) => Passing): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', url: path = '/', headers: given } = request
    const headers = new Headers()
    for (const name of ['authorization', 'content-type'])
      if (typeof given[name] === 'string') headers.set(name, given[name])
    const answer = await fetch(upstream + path, {
      method,
      headers,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const contentType = answer.headers.get('content-type') ?? ''
    const passing = {
      method,
      path,
      status: answer.status,
      headers: { 'content-type': contentType },
      text: await answer.text(),
    }
    const spoilt = spoil(passing)
    response.writeHead(spoilt.status, spoilt.headers).end(spoilt.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
