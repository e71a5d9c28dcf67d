/** Facts about a request's connection that only Node knows, besides the adapter's `Request`. */
import type { HttpBindings } from '@hono/node-server'
import type { AnswerPart } from '../../../http/http-service.ts'
import type { FrontConnection } from '../../../server/front.ts'
import { rawSocketOf } from './raw-socket.ts'
import { WholeRequest } from './whole-request.ts'

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
    // A request that has come already is the adapter's, which knows it even where its caller went away since.
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
    // Made when it is needed, it may be the adapter's own Response, which would be sent; a clone of that is Node's.
    return (await import('@hono/node-server/utils/response')).RESPONSE_ALREADY_SENT.clone()
  }
}
