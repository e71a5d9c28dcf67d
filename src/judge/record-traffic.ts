/** Records traffic with the real service: a reverse proxy that writes what passes into a HAR file, without secrets. */
import { Unusable } from './subject.ts'
import { HarFile, harEntryOf } from './traffic/har-file.ts'
import { startRecordingProxy } from './traffic/recording-proxy.ts'
import { Secrets } from './traffic/secrets.ts'

const HOST = '127.0.0.1'

interface RecordOptions {
  upstream: URL
  port: number
  /** A new file. */
  out: string
  /** Told of each exchange that was written down. */
  passed(exchange: { method: string; path: string; status: number }): void
  /** Told of what was not passed on, or not written down. */
  failed(text: string): void
}

/** Throws where the file or the port cannot be had. */
export async function recordTraffic({ upstream, port, out, passed, failed }: RecordOptions) {
  const file = new HarFile(out)
  const secrets = new Secrets()
  const proxy = await startRecordingProxy({
    upstream,
    host: HOST,
    port,
    ended: (exchange) => {
      const known = secrets.count
      // Twice, so that what only its end tells of secrets holds for its beginning too.
      harEntryOf(exchange, secrets)
      const entry = harEntryOf(exchange, secrets)
      const { method } = entry.request
      const { pathname: path } = new URL(entry.request.url)
      try {
        // What was written before may hold what is known to be a secret only now; at no moment is that on disk.
        if (secrets.count > known) file.change((text) => secrets.redact(text))
        file.add(entry)
      } catch (error) {
        failed(`${method} ${path} was not written down: ${(error as Error).message}`)
        return
      }
      passed({ method, path, status: entry.response.status })
    },
    failed: (method, path, why) => failed(`${method} ${secrets.path(path)} was not passed on: ${why}`),
  }).catch((error) => {
    file.close()
    const hint = (error as Error).message
    throw new Unusable(`${HOST}:${port} cannot be listened on.`, { code: 'COMMAND_FAILED', hint })
  })
  return {
    url: `http://${HOST}:${proxy.port}`,
    /** Ends it, and gives the number of requests in the file. */
    close: async (): Promise<number> => {
      await proxy.close()
      file.close()
      return file.entries
    },
  }
}
