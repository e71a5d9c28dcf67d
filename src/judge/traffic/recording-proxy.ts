import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type ServerResponse,
} from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Server } from 'node:net'
import { pipeline, type Readable, Transform } from 'node:stream'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { errorOf } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { Unusable } from '../subject.ts'
import { type Exchanged, HarFile, Secrets } from './har.ts'

const HOST = '127.0.0.1'

/** Bytes of a body that are kept; all bytes are forwarded. */
const KEPT_BYTES = 5_000_000
/** Headers that belong to one connection, so they are not forwarded (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

interface Told {
  ended(exchange: Exchanged): void
  failed(method: string, path: string, why: string): void
}

interface RecordOptions {
  upstream: URL
  port: number
  out: string
  passed(exchange: { method: string; path: string; status: number }): void
  failed(text: string): void
}

/** Writes each exchange to a HAR file, without secrets. Throws if the file or the port cannot be used. */
export async function recordTraffic({ upstream, port, out, passed, failed }: RecordOptions) {
  const secrets = new Secrets()
  const file = new HarFile(out, secrets)
  const told: Told = {
    ended: (exchange) => {
      const { method, url, status } = exchange
      const path = () => secrets.path(new URL(url).pathname)
      try {
        file.add(exchange)
      } catch (error) {
        return failed(`${method} ${path()} was not written down: ${errorOf(error).message}`)
      }
      passed({ method, path: path(), status })
    },
    failed: (method, path, why) => failed(`${method} ${secrets.path(path)} was not passed on: ${why}`),
  }
  const server = createServer((incoming, outgoing) => serve(incoming, outgoing, upstream, told))
  try {
    await once(server.listen(port, HOST), 'listening')
  } catch (error) {
    file.close()
    const hint = errorOf(error).message
    throw new Unusable(`${HOST}:${port} cannot be listened on.`, { code: 'COMMAND_FAILED', hint })
  }
  return {
    url: `http://${HOST}:${portOf(server)}`,
    close: async (): Promise<number> => {
      const closed = once(server.close(), 'close')
      server.closeIdleConnections()
      await closed
      file.close()
      return file.entries
    },
  }
}

function serve(incoming: IncomingMessage, outgoing: ServerResponse, upstream: URL, told: Told) {
  const { method = 'GET', url = '/' } = incoming
  // A target of another form names a host of its own, to which nothing here is addressed: whoever sends one takes this
  // for a forward proxy, or asks about the server itself (`OPTIONS *`).
  if (!url.startsWith('/'))
    return answerPlainly(
      outgoing,
      400,
      `expected a path that begins with "/", got "${url.slice(0, 80)}". This stands in front of one service: use its address as the base URL, not as a proxy.`,
    )
  try {
    passOn(incoming, outgoing, upstream, told)
  } catch (error) {
    told.failed(method, url, errorOf(error).message)
    answerPlainly(outgoing, 502, `The upstream could not be asked: ${errorOf(error).message}`)
  }
}

function answerPlainly(outgoing: ServerResponse, status: number, text: string): void {
  if (outgoing.headersSent) outgoing.destroy()
  else outgoing.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, upstream: URL, { ended, failed }: Told): void {
  const beganMs = wallNowMs()
  const { method = 'GET', url: path = '/' } = incoming
  const url = upstream.origin + upstream.pathname.replace(/\/$/, '') + path
  const ask = upstream.protocol === 'https:' ? secureRequest : plainRequest
  // Asks for uncompressed answers, so that they can be recorded as text.
  const headers = { ...passed(incoming.headers), host: upstream.host, 'accept-encoding': 'identity' }
  const body = new Kept()
  const lost = (error: Error) => {
    failed(method, path, error.message)
    answerPlainly(outgoing, 502, `The upstream could not be asked: ${error.message}`)
  }
  const asked = ask(url, { method, headers }, (answer) => {
    const kept = new Kept()
    try {
      outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, passed(answer.headers))
    } catch (error) {
      // Node reads headers and statuses that it does not write.
      answer.destroy()
      return lost(errorOf(error))
    }
    pipeline(answer, kept, outgoing, (error) => {
      if (error) return failed(method, path, error.message)
      ended({
        beganMs,
        tookMs: wallNowMs() - beganMs,
        method,
        url,
        headers: incoming.headers,
        body: body.text(incoming.headers['content-encoding']),
        status: answer.statusCode ?? 0,
        answerHeaders: answer.headers,
        answer: kept.text(answer.headers['content-encoding']),
      })
    })
  })
  asked.on('error', lost)
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) asked.destroy()
  })
  pipeline(incoming as Readable, body, asked, () => {})
}

function passed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/,\s*/)
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  )
}

class Kept extends Transform {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void): void {
    this.#bytes += chunk.length
    if (this.#bytes <= KEPT_BYTES) this.#chunks.push(chunk)
    done(null, chunk)
  }

  /** Undefined if the body was too long or cannot be decompressed. */
  text(encoding = 'identity'): string | undefined {
    if (this.#bytes > KEPT_BYTES) return undefined
    const bytes = Buffer.concat(this.#chunks)
    const unpack = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync }[encoding]
    try {
      return unpack ? unpack(bytes, { maxOutputLength: KEPT_BYTES }).toString('utf8') : bytes.toString('utf8')
    } catch {
      return undefined
    }
  }
}

export function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return address.port
}
