/** Records traffic with the real service: a reverse proxy that writes each exchange to a HAR file, without secrets. */
import { errorOf } from '../core/model/must.ts'
import { Unusable } from './subject.ts'
import { HarFile, Secrets } from './traffic/har.ts'
import { startRecordingProxy } from './traffic/recording-proxy.ts'

const HOST = '127.0.0.1'

interface RecordOptions {
  upstream: URL
  port: number
  out: string
  passed(exchange: { method: string; path: string; status: number }): void
  failed(text: string): void
}

/** Throws if the file or the port cannot be used. */
export async function recordTraffic({ upstream, port, out, passed, failed }: RecordOptions) {
  const secrets = new Secrets()
  const file = new HarFile(out, secrets)
  const proxy = await startRecordingProxy({
    upstream,
    host: HOST,
    port,
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
