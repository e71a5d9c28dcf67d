/** Sends requests: by Node's own HTTP client where there is one, else by `fetch`. */
import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../core/model/attempt.ts'
import { ANSWER_MAX_BYTES, boundedText, TooLong } from '../bounded.ts'

export interface OutgoingRequest {
  method: string
  headers: Record<string, string>
  body?: string | Blob | ReadableStream
  duplex?: 'half'
  redirect?: 'manual'
  signal?: AbortSignal
}

/** The parts of a `Response` that the clients read. */
export interface ReceivedAnswer extends Pick<Response, 'ok' | 'status' | 'text'> {
  readonly headers: Iterable<[string, string]> & Pick<Headers, 'get'>
  /** Where this is no `Response`: one with the body as a stream. */
  whole?(): Response
}

export type SendRequest = (url: string, request: OutgoingRequest) => Promise<ReceivedAnswer>

/**
 * Node's `fetch` takes 50 ms to load, as long as all of Node, and more than twice the processor time for a request. It
 * also gives up an answer after five minutes.
 */
export const send: SendRequest = (url, request) =>
  globalThis.navigator?.userAgent?.startsWith('Node.js/')
    ? sendInNode(url, request)
    : fetch(url, request).then((answer) => Object.assign(answer, { text: () => boundedText(answer.body) }))

function sendInNode(url: string, { method, headers, body, signal }: OutgoingRequest): Promise<ReceivedAnswer> {
  const { globalAgent, request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http')
  // The proxy of NODE_USE_ENV_PROXY cannot reach this machine. Node's types do not have these options.
  const { options } = globalAgent as unknown as { options: { proxyEnv?: object } }
  const direct = options.proxyEnv !== undefined && isLoopback(new URL(url).hostname)
  const reasonOf = (error: unknown) => (signal?.aborted ? signal.reason : error)
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers, ...(direct && { agent: false }), ...(signal && { signal }) },
      (message) => resolve(answerOf(message, reasonOf)),
    )
    // The first address of the name that was tried.
    sent.on('error', (error: Error & { errors?: Error[] }) => reject(reasonOf(error.errors?.[0] ?? error)))
    if (body === undefined || typeof body === 'string') sent.end(body)
    else {
      const { pipeline, Readable } = process.getBuiltinModule('node:stream')
      if (body instanceof Blob) sent.setHeader('content-length', body.size)
      pipeline(Readable.from(body instanceof Blob ? body.stream() : body), sent, () => {})
    }
  })
}

function answerOf(message: IncomingMessage, reasonOf: (error: unknown) => unknown): ReceivedAnswer {
  const { statusCode: status = 0, headersDistinct } = message
  const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: Object.assign(pairs, { get: (name: string) => headersDistinct[name.toLowerCase()]?.join(', ') ?? null }),
    text: () =>
      new Promise((resolve, reject) => {
        let text = ''
        message.setEncoding('utf8')
        message.on('data', (part: string) => {
          text += part
          if (text.length > ANSWER_MAX_BYTES) message.destroy(new TooLong(ANSWER_MAX_BYTES))
        })
        message.once('end', () => resolve(text))
        message.once('error', (error) => reject(reasonOf(error)))
      }),
    whole: () => {
      const { Readable } = process.getBuiltinModule('node:stream')
      // A Response refuses a body with these.
      const body = status === 204 || status === 304 ? null : (Readable.toWeb(message) as ReadableStream)
      return new Response(body, { status, headers: pairs })
    },
  }
}
