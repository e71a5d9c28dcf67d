import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { proxy } from 'hono/proxy'
import { errorOf } from '../../core/model/must.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import { Unusable } from '../subject.ts'
import { HarFile, Secrets } from './har.ts'
import type { HarRecord } from './read-traffic.ts'

const HOST = '127.0.0.1'

/** Bytes of a body that are kept; all bytes are forwarded. */
const KEPT_BYTES = 5_000_000

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
  const passing: Answer = async (request, { incoming }) => {
    const { method } = request
    const path = upstream.pathname.replace(/\/$/, '') + (incoming.url ?? '/')
    const lost = (what: string, error: unknown) =>
      failed(`${method} ${secrets.path(path)} was not ${what}: ${reasonOf(error)}`)
    const write = (exchange: HarRecord) => {
      try {
        file.add(exchange)
      } catch (error) {
        return lost('written down', error)
      }
      passed({ method, path: secrets.path(path.replace(/\?.*/, '')), status: exchange.status })
    }
    try {
      const { answer, exchange } = await passOn(request, upstream.origin, path)
      exchange.then(write, (error) => {
        lost('passed on', error)
        incoming.socket.destroy()
      })
      return answer
    } catch (error) {
      lost('passed on', error)
      return new Response(`The upstream could not be asked: ${reasonOf(error)}\n`, { status: 502 })
    }
  }
  const server = await serveAt(HOST, port, passing).catch((error) => {
    file.close()
    const hint = errorOf(error).message
    throw new Unusable(`${HOST}:${port} cannot be listened on.`, { code: 'COMMAND_FAILED', hint })
  })
  return {
    url: `http://${HOST}:${server.port}`,
    close: async (): Promise<number> => {
      await server.close('when-answered')
      file.close()
      return file.entries
    },
  }
}

/** `exchange`: once the whole answer is passed on. */
async function passOn(request: Request, origin: string, path: string) {
  const { method, signal } = request
  const [atMs, url] = [wallNowMs(), origin + path]
  const sent = kept(request.body)
  sent.whole.catch(() => {})
  const headers = new Headers(request.headers)
  // One is the upstream's own, and the other was met when the request came in.
  for (const name of ['host', 'expect']) headers.delete(name)
  const raw = new Request(url, {
    ...{ method, headers, signal, body: sent.passing },
    ...(sent.passing && { duplex: 'half' }),
  })
  const answer = await proxy(url, { raw, redirect: 'manual' })
  const told = kept(answer.body)
  const exchange = told.whole.then(
    (): HarRecord => ({
      ...{ number: 0, atMs, tookMs: wallNowMs() - atMs, method, origin, path },
      headers: Object.fromEntries(request.headers),
      // A packed one could hold a secret that nobody sees.
      body: headers.has('content-encoding') ? '' : (sent.text() ?? ''),
      ...{ status: answer.status, told: Object.fromEntries(answer.headers), mediaType: '', answer: told.text() ?? '' },
      unrecorded: new Set(told.text() === undefined ? ['answer'] : []),
    }),
  )
  return { answer: new Response(told.passing, answer), exchange }
}

/** `fetch` says only that it failed, and its cause why. */
function reasonOf(error: unknown): string {
  const { message, cause } = errorOf(error)
  return cause === undefined ? message : errorOf(cause).message
}

function kept(body: ReadableStream<Uint8Array> | null) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, next) {
      bytes += chunk.length
      if (bytes <= KEPT_BYTES) chunks.push(chunk)
      next.enqueue(chunk)
    },
  })
  return {
    passing: body && readable,
    // A stream that breaks off would have the HTTP adapter print why.
    whole: body?.pipeTo(writable, { preventAbort: true }) ?? Promise.resolve(),
    /** Undefined if the body was too long. */
    text: () => (bytes > KEPT_BYTES ? undefined : Buffer.concat(chunks).toString('utf8')),
  }
}

type Answer = (request: Request, at: HttpBindings | Http2Bindings) => Promise<Response>

export async function serveAt(host: string, port: number, answer: Answer) {
  // Imported here, or the bundler would have a start load it before `fetch` is deferred.
  const { getRequestListener } = await import('@hono/node-server')
  const listener = getRequestListener(answer, { overrideGlobalObjects: false })
  const server = createServer((incoming, outgoing) => {
    const { url = '/' } = incoming
    if (url.startsWith('/')) return listener(incoming, outgoing)
    // Another form names a host of its own: a client takes this for a forward proxy, or asks about the server (`OPTIONS *`).
    const text = `expected a path that begins with "/", got "${url.slice(0, 80)}". This stands in front of one service: use its address as the base URL, not as a proxy.`
    outgoing.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`)
  })
  await once(server.listen(port, host), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.')
  return {
    port: address.port,
    close: async (how: 'at-once' | 'when-answered'): Promise<void> => {
      const closed = once(server.close(), 'close')
      if (how === 'at-once') server.closeAllConnections()
      else server.closeIdleConnections()
      await closed
    },
  }
}
