/** Facts about a request's connection that only Node knows, besides the adapter's `Request`. */

import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { AnswerPart, Connection } from '../../../http/operation.ts'

export class NodeConnection implements Connection {
  readonly #bindings: HttpBindings

  constructor(bindings: HttpBindings) {
    this.#bindings = bindings
  }

  get headers(): Map<string, string> {
    const { rawHeaders } = this.#bindings.incoming
    const headers = new Map<string, string>()
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const [name, value] = [(rawHeaders[i] as string).toLowerCase(), rawHeaders[i + 1] as string]
      const before = headers.get(name)
      headers.set(name, before === undefined ? value : `${before}, ${value}`)
    }
    return headers
  }

  /** The HTTP adapter itself never ends a connection. */
  async sever(how: 'reset' | 'close', part?: AnswerPart): Promise<Response> {
    const { incoming, outgoing } = this.#bindings
    if (part) {
      outgoing.writeHead(part.status, { ...part.headers, 'content-length': part.length })
      outgoing.flushHeaders()
      await new Promise<void>((written) => {
        outgoing.write(part.bytes, () => written())
      })
    }
    if (how === 'reset') rawSocketOf(incoming.socket).resetAndDestroy()
    else incoming.socket.destroy()
    // Loaded this late, it may be of the adapter's own class, which the adapter would send. A clone is of Node's.
    return (await import('@hono/node-server/utils/response')).RESPONSE_ALREADY_SENT.clone()
  }
}

export function rawSocketOf(socket: Socket): Socket {
  const own: Socket & { _parent?: Socket | null } = socket
  return own._parent ?? socket
}

/**
 * Sends at once, and ends only after the whole request has come, whose rest is dropped: Node and the adapter close a
 * connection on which more comes, and a client that still writes would see it break before it reads the answer. Node's
 * timeout for requests also ends it.
 */
export class PatientResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override end(...given: unknown[]): this {
    const { req } = this
    if (req.complete || req.destroyed || req.method === 'GET' || req.method === 'HEAD')
      return super.end(...(given as []))
    const text = given.find((one) => typeof one === 'string' || one instanceof Uint8Array)
    if (text === undefined) this.flushHeaders()
    else {
      if (!this.headersSent) this.setHeader('content-length', Buffer.byteLength(text))
      this.write(text)
    }
    const end = () => super.end(...(given.filter((one) => typeof one === 'function') as []))
    // Nobody reads it any more.
    req
      .removeAllListeners('data')
      .on('data', () => {})
      .resume()
    req.once('end', end).once('close', end)
    return this
  }
}
