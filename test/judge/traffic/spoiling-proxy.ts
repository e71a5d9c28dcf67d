/** Something between a merchant and mfano that changes answers, as a service does that is another one. */
import { text } from 'node:stream/consumers'
import { serving } from '../../support/listening.ts'

/** An answer on its way. */
export interface Passing {
  method: string
  path: string
  status: number
  headers: Record<string, string>
  text: string
}

/** Passes requests on to `upstream`, and each answer through `spoil`. Gives its address; gone with the test. */
export function spoilingProxy(upstream: string, spoil: (answer: Passing) => Passing): Promise<string> {
  return serving(async (request, response) => {
    const body = await text(request)
    const { method = 'GET', url: path = '/', headers: given } = request
    const headers = new Headers()
    for (const name of ['authorization', 'content-type'])
      if (typeof given[name] === 'string') headers.set(name, given[name])
    const answer = await fetch(upstream + path, { method, headers, ...(body && { body }) })
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
}
