/** A merchant's endpoint that is slow now and then: it answers when enough others have come, not after a time. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Endpoint {
  url: string
  readonly received: number
  /** Of these, how many had to wait for their answer. */
  readonly slow: number
  /** Answers what is held back, and holds nothing back any more. */
  release(): void
  close(): Promise<void>
}

/** One callback of so many waits for its answer until as many others have come. */
const SLOW_ONE_OF = 25

export async function openEndpoint(): Promise<Endpoint> {
  let received = 0
  let slow = 0
  let released = false
  const held: ServerResponse[] = []
  const answer = (response: ServerResponse) => response.end('noted')
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      const isSlow = ++received % SLOW_ONE_OF === 0
      if (isSlow) for (const one of held.splice(0)) answer(one)
      if (!isSlow || released) return void answer(response)
      slow++
      held.push(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    get received() {
      return received
    },
    get slow() {
      return slow
    },
    release: () => {
      released = true
      for (const one of held.splice(0)) answer(one)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
