/** Bodies of requests as they come out of Node's parser, without the events of a stream, and answers that wait for them. */
import { IncomingMessage, ServerResponse } from 'node:http'

interface Taker {
  first: Buffer | undefined
  more: Buffer[] | undefined
  resolve(body: Uint8Array): void
  reject(error: Error): void
}

/** A request whose body can be taken whole. */
export class WholeRequest extends IncomingMessage {
  #taker: Taker | undefined

  /**
   * Its body, of which the stream then has nothing; undefined where some of it has come already, or nothing will.
   * Rejects when the connection breaks off before all has come.
   */
  takeBody(): Promise<Uint8Array> | undefined {
    if (this.complete || this.destroyed || this.readableLength > 0) return undefined
    return new Promise((resolve, reject) => {
      this.#taker = { first: undefined, more: undefined, resolve, reject }
    })
  }

  /** What the parser calls with each part, and with null behind the last. */
  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    const taker = this.#taker
    if (taker === undefined) return super.push(chunk, encoding)
    if (chunk !== null) {
      if (taker.first === undefined) taker.first = chunk as Buffer
      else {
        taker.more ??= [taker.first]
        taker.more.push(chunk as Buffer)
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

  /** Of a stream that has nothing to tell: as Node ends that of a request without a body, where it can. */
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
 * An answer that is sent at once and ends once its request has come whole, of which the rest is thrown away: Node and the
 * adapter close a connection on which more comes, and who still writes then finds it broken before it reads the answer.
 * The time that Node gives a request ends it otherwise.
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
    // Of what reads it there is none any more.
    req
      .removeAllListeners('data')
      .on('data', () => {})
      .resume()
    req.once('end', end).once('close', end)
    return this
  }
}
