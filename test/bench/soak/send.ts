/** Requests of the soak: over kept connections, with answers as JSON. */
import { Agent, request } from 'undici'

export interface Asked {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  token?: string
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for its caller to judge
export type Answer = { status: number; body: any }

export const get = (path: string): Asked => ({ method: 'GET', path })
export const post = (path: string, body: object): Asked => ({ method: 'POST', path, body })

// Idle connections are given up long before the server does it. One that the server closed while this process waited for
// the processor is taken up in vain: "other side closed" or ECONNRESET, which is no fault of the server.
const dispatcher = new Agent({ connections: 32, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 })

/** Asks; rejects where no answer comes. */
export async function send(url: string, { method, body, token }: Asked): Promise<Answer> {
  const answer = await request(url, {
    dispatcher,
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}
