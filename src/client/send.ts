import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../core/model/callback.ts'

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

// Reads what others send up to a bound, because it may never end.

/** More than mfano, an app or the service answers. */
export const ANSWER_MAX_BYTES = 64 * 1024 ** 2

export class TooLong extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, got more`)
  }
}

/** Cancels what is longer, which closes its connection. By a reader, because not every browser iterates over a stream. */
export async function boundedBytes(
  source: ReadableStream<Uint8Array> | null,
  maxBytes = ANSWER_MAX_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = source?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.length
    if (size > maxBytes) {
      await reader?.cancel()
      throw new TooLong(maxBytes)
    }
    chunks.push(part.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export async function boundedText(source: ReadableStream<Uint8Array> | null, maxBytes = ANSWER_MAX_BYTES) {
  return new TextDecoder().decode(await boundedBytes(source, maxBytes))
}
