/** `mfano record`: a reverse proxy in front of the real service, which writes down what passes, without secrets. */
import { startRecordingProxy } from '../../../judge/traffic/recording-proxy.ts'
import { Secrets } from '../../../judge/traffic/secrets.ts'
import { CLEAN, type Command, CommandFailed, jsonFlag, USAGE, UsageError } from '../command.ts'
import { count } from '../words.ts'
import { HarFile } from './har-file.ts'

const HOST = '127.0.0.1'

export const recordCommand: Command = {
  name: 'record',
  words: '',
  count: [0, 0],
  summary:
    'Stands in front of the real service, passes every request on, and writes what passes into a HAR file: keys, secrets and tokens are replaced by names before anything is written. Ctrl-C ends it.',
  flags: [
    { name: 'upstream', value: 'url', help: 'The base URL of the real service.', expected: 'an http or https address' },
    { name: 'out', value: 'file', help: 'A new file.', names: 'files', byDefault: 'traffic.har' },
    { name: 'port', value: 'number', help: 'Port to listen on; 0 takes any free one.', byDefault: '0' },
    jsonFlag,
  ],
  examples: ['mfano record --upstream https://sandbox.example.com --out traffic.har --port 8081'],
  run: async (given, output) => {
    const upstream = upstreamOf(given.get('upstream'))
    const port = portOf(given.get('port') ?? '0')
    const secrets = new Secrets()
    const file = new HarFile(given.get('out') ?? 'traffic.har', secrets)
    const proxy = await startRecordingProxy({
      upstream,
      host: HOST,
      port,
      ended: (exchange) => {
        const named = `${exchange.method} ${new URL(exchange.url).pathname}`
        try {
          const entry = file.keep(exchange)
          const told = `${exchange.method} ${new URL(entry.request.url).pathname}`
          if (!given.has('json')) output.out(`${told} → ${entry.response.status}\n`)
        } catch (error) {
          output.error(`${secrets.path(named)} was not written down: ${(error as Error).message}`)
        }
      },
      failed: (method, path, why) => output.error(`${method} ${secrets.path(path)} was not passed on: ${why}`),
    }).catch((error) => {
      file.close()
      throw new CommandFailed(`${HOST}:${port} cannot be listened on.`, (error as Error).message, { exitCode: USAGE })
    })
    const url = `http://${HOST}:${proxy.port}`
    const ready = { event: 'ready', url, upstream: upstream.origin + upstream.pathname, out: file.path }
    output.out(
      given.has('json')
        ? `${JSON.stringify(ready)}\n`
        : `${url} passes everything on to ${ready.upstream}, and ${file.path} gets what passes. Ctrl-C ends it.\n`,
    )
    await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    await proxy.close()
    file.close()
    if (!given.has('json')) output.out(`${count(file.entries, 'request')} in ${file.path}.\n`)
    return CLEAN
  },
}

function upstreamOf(text: string | undefined): URL {
  const url = URL.parse(text ?? '')
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') return url
  throw new UsageError(
    `--upstream: expected an http or https address without credentials and query, got ${text === undefined ? 'none' : JSON.stringify(url?.username ? '(one with credentials)' : text)}.`,
  )
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new UsageError(`--port: expected a whole number from 0 to 65535, got ${JSON.stringify(text)}.`)
}
