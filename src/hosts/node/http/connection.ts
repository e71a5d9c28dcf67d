/** Facts about a request's connection that only Node knows, besides the adapter's `Request`. */

import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { AnswerPart } from '../../../http/http-service.ts'
import type { FrontConnection } from '../../../server/front.ts'

export class NodeConnection implements FrontConnection {
  readonly #request: Request
  readonly #bindings: HttpBindings

  constructor(request: Request, bindings: HttpBindings) {
    this.#request = request
    this.#bindings = bindings
  }

  caller(): string {
    return this.#bindings.incoming.socket.remoteAddress ?? ''
  }

  header(name: string): string | undefined {
    const { rawHeaders } = this.#bindings.incoming
    let value: string | undefined
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const given = rawHeaders[i] ?? ''
      if (given.length !== name.length || (given !== name && given.toLowerCase() !== name)) continue
      value = value === undefined ? rawHeaders[i + 1] : `${value}, ${rawHeaders[i + 1]}`
    }
    return value
  }

  headerNames(): string[] {
    const { rawHeaders } = this.#bindings.incoming
    const names: string[] = []
    for (let i = 0; i < rawHeaders.length; i += 2) names.push((rawHeaders[i] ?? '').toLowerCase())
    return names
  }

  body(): Promise<Uint8Array> {
    const { incoming } = this.#bindings
    const taken = incoming instanceof WholeRequest ? incoming.takeBody() : undefined
    // The adapter keeps the body of a request that is complete, even where its caller has disconnected since.
    return taken ?? this.#request.arrayBuffer().then((bytes) => new Uint8Array(bytes))
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

// Takes bodies directly from Node's parser, without stream events, and delays the end of early answers.

interface Taker {
  first: Buffer | undefined
  more: Buffer[] | undefined
  resolve(body: Uint8Array): void
  reject(error: Error): void
}

export class WholeRequest extends IncomingMessage {
  #taker: Taker | undefined

  /**
   * Empties the stream. Undefined where data has already come, or none will. Rejects when the connection breaks off.
   */
  takeBody(): Promise<Uint8Array> | undefined {
    if (this.complete || this.destroyed || this.readableLength > 0) return undefined
    return new Promise((resolve, reject) => {
      this.#taker = { first: undefined, more: undefined, resolve, reject }
    })
  }

  /** The parser calls this with each part, and with null at the end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    const taker = this.#taker
    if (taker === undefined) return super.push(chunk, encoding)
    if (chunk !== null) {
      if (taker.first === undefined) taker.first = chunk
      else {
        taker.more ??= [taker.first]
        taker.more.push(chunk)
      }
      return true
    }
    this.#taker = undefined
    this.#endUnread()
    taker.resolve(taker.more ? Buffer.concat(taker.more) : (taker.first ?? NOTHING))
    return false
  }

  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    this.#taker?.reject(error ?? new Error('The connection was closed before its request had come whole'))
    this.#taker = undefined
    super._destroy(error, destroyed)
  }

  /** Ends an empty stream as Node ends that of a request without a body, where it can. */
  #endUnread(): void {
    const self: { _dumpAndCloseReadable?(): void } = this as object
    if (self._dumpAndCloseReadable) self._dumpAndCloseReadable()
    else {
      super.push(null)
      this.resume()
    }
  }
}

const NOTHING = new Uint8Array()

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
