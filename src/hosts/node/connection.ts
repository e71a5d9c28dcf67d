/** What Node knows of the connection that a request came by, beyond the `Request` of the HTTP adapter. */
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { AnswerPart } from '../../http/env.ts'
import type { Connection } from '../../server/front.ts'

export class NodeConnection implements Connection {
  readonly #request: Request
  readonly #bindings: HttpBindings

  constructor(request: Request, bindings: HttpBindings) {
    this.#request = request
    this.#bindings = bindings
  }

  caller(): string {
    return this.#bindings.incoming.socket.remoteAddress ?? ''
  }

  /** What came under one name more than once is joined, as `Headers` does it. */
  header(name: string): string | undefined {
    const { rawHeaders } = this.#bindings.incoming
    let value: string | undefined
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const given = rawHeaders[i] as string
      if (given.length !== name.length || (given !== name && given.toLowerCase() !== name)) continue
      value = value === undefined ? rawHeaders[i + 1] : `${value}, ${rawHeaders[i + 1]}`
    }
    return value
  }

  body(): Promise<Uint8Array> {
    const incoming = this.#bindings.incoming as IncomingMessage
    // What had come before a caller went away is known to the adapter.
    return incoming.destroyed ? this.#request.arrayBuffer().then((bytes) => new Uint8Array(bytes)) : bodyOf(incoming)
  }

  /** Ends the connection, which the HTTP adapter itself never does. */
  async sever(how: 'reset' | 'close', part?: AnswerPart): Promise<Response> {
    const { incoming, outgoing } = this.#bindings
    if (part) {
      outgoing.writeHead(part.status, { ...part.headers, 'content-length': part.length })
      outgoing.flushHeaders()
      await new Promise<void>((written) => {
        outgoing.write(part.bytes, () => written())
      })
    }
    if (how === 'reset') incoming.socket.resetAndDestroy()
    else incoming.socket.destroy()
    // Made when it is needed, it may be the adapter's own Response, which would be sent; a clone of that is Node's.
    return (await import('@hono/node-server/utils/response')).RESPONSE_ALREADY_SENT.clone()
  }
}

/** The bytes as they lie in memory: `Request` would copy them. Rejects when the connection breaks off before all have come. */
function bodyOf(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    incoming.on('data', (chunk: Buffer) => {
      if (first === undefined) first = chunk
      else {
        more ??= [first]
        more.push(chunk)
      }
    })
    incoming.on('end', () => resolve(more ? Buffer.concat(more) : (first ?? NOTHING)))
    incoming.on('error', reject)
    incoming.on('close', () => {
      // An error that nobody is told of would cost as much as all that is written.
      if (!incoming.readableEnded) reject(new Error('The connection was closed before its request had come whole'))
    })
  })
}

const NOTHING = new Uint8Array()
