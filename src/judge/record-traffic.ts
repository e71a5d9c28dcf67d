/** Records traffic with the real service: a reverse proxy that writes each exchange to a HAR file, without secrets. */
import { errorOf } from '../core/model/must.ts'
import { Unusable } from './subject.ts'
import { HarFile, harEntryOf, Secrets } from './traffic/har.ts'
import { startRecordingProxy } from './traffic/recording-proxy.ts'

const HOST = '127.0.0.1'

interface RecordOptions {
  upstream: URL
  port: number
  /** Path of a file that does not exist yet. */
  out: string
  passed(exchange: { method: string; path: string; status: number }): void
  failed(text: string): void
}

/** Throws if the file or the port cannot be used. */
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
        // Lines written before may hold what is known to be a secret only now; at no moment is that on disk.
        if (secrets.count > known) file.change((text) => secrets.redact(text))
        file.add(entry)
      } catch (error) {
        failed(`${method} ${path} was not written down: ${errorOf(error).message}`)
        return
      }
      passed({ method, path, status: entry.response.status })
    },
    failed: (method, path, why) => failed(`${method} ${secrets.path(path)} was not passed on: ${why}`),
  }).catch((error) => {
    file.close()
    const hint = errorOf(error).message
    throw new Unusable(`${HOST}:${port} cannot be listened on.`, { code: 'COMMAND_FAILED', hint })
  })
  return {
    url: `http://${HOST}:${proxy.port}`,
    close: async (): Promise<number> => {
      await proxy.close()
      file.close()
      return file.entries
    },
  }
}
