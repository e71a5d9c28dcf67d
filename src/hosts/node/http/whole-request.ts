/** Takes bodies directly from Node's parser, without stream events, and delays the end of early answers. */
import { IncomingMessage, ServerResponse } from 'node:http'

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
