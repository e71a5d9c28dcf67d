/** `mfano record`: a reverse proxy in front of the real service, which writes down what passes, without secrets. */
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { HAR_AFTER, HAR_BEFORE, type HarEntry } from '../../../judge/traffic/har.ts'
import { type Exchanged, startRecordingProxy } from '../../../judge/traffic/recording-proxy.ts'
import { Secrets } from '../../../judge/traffic/secrets.ts'
import { CLEAN, type Command, CommandFailed, jsonFlag, USAGE, UsageError } from '../command.ts'
import { portValue } from '../typed-values.ts'
import { count } from '../words.ts'

const OWNER_ONLY = 0o600
const HOST = '127.0.0.1'

export const recordCommand: Command = {
  name: 'record',
  summary:
    'Stands in front of the real service, passes every request on, and writes what passes into a HAR file: keys, secrets and tokens are replaced by names before anything is written. Ctrl-C ends it.',
  flags: [
    { name: 'upstream', value: 'url', help: 'The base URL of the real service.', expected: 'an http or https address' },
    { name: 'out', value: 'file', help: 'A new file.', names: 'files', byDefault: 'traffic.har' },
    { name: 'port', value: 'number', help: 'Port to listen on; 0 takes any free one.', byDefault: '0', ...portValue },
    jsonFlag,
  ],
  examples: ['mfano record --upstream https://sandbox.example.com --out traffic.har --port 8081'],
  run: async (given, output) => {
    const upstream = upstreamOf(given.get('upstream'))
    const port = given.number('port') ?? 0
    const file = new HarFile(given.get('out') ?? 'traffic.har')
    const secrets = new Secrets()
    const proxy = await startRecordingProxy({
      upstream,
      host: HOST,
      port,
      ended: (exchange) => {
        const known = secrets.count
        // Twice, so that what only its end tells of secrets holds for its beginning too.
        entryOf(exchange, secrets)
        const entry = entryOf(exchange, secrets)
        const { pathname } = new URL(entry.request.url)
        try {
          // What was written before may hold what is known to be a secret only now; at no moment is that on disk.
          if (secrets.count > known) file.change((text) => secrets.redact(text))
          file.add(entry)
        } catch (error) {
          output.error(`${entry.request.method} ${pathname} was not written down: ${(error as Error).message}`)
          return
        }
        if (!given.has('json')) output.out(`${entry.request.method} ${pathname} → ${entry.response.status}\n`)
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

/** A file that is a whole HAR after every entry. */
class HarFile {
  readonly path: string
  readonly #file: number
  #end = 0
  entries = 0

  constructor(path: string) {
    this.path = path
    try {
      this.#file = openSync(path, 'wx', OWNER_ONLY)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const hint = code === 'EEXIST' ? 'It is there already: name a new one with --out.' : message
      throw new CommandFailed(`${path} cannot be written.`, hint, { exitCode: USAGE })
    }
    this.#end = writeSync(this.#file, HAR_BEFORE, 0)
    writeSync(this.#file, HAR_AFTER, this.#end)
  }

  add(entry: HarEntry): void {
    const text = `${this.entries === 0 ? '' : ',\n'}${JSON.stringify(entry)}`
    const bytes = writeSync(this.#file, text + HAR_AFTER, this.#end)
    this.#end += bytes - Buffer.byteLength(HAR_AFTER)
    this.entries++
  }

  /** Changes what was written before more was known. */
  change(changed: (text: string) => string): void {
    const text = readFileSync(this.path, 'utf8')
    const now = changed(text)
    if (now === text) return
    const bytes = writeSync(this.#file, now, 0)
    ftruncateSync(this.#file, bytes)
    this.#end = bytes - Buffer.byteLength(HAR_AFTER)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** The exchange without the secrets that are known when it has been read. */
function entryOf(exchange: Exchanged, secrets: Secrets): HarEntry {
  const { method, headers, body, status, answerHeaders, answer, beganMs, tookMs } = exchange
  const named = (all: Exchanged['headers']) =>
    Object.entries(all).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => ({ name, value: secrets.header(name, one) })),
    )
  const requestHeaders = named(headers)
  const sent = secrets.body(body ?? '', headers['content-type'] ?? '')
  const told = secrets.body(answer ?? '', answerHeaders['content-type'] ?? '')
  const url = new URL(exchange.url)
  const path = secrets.path(url.pathname + url.search)
  return {
    startedDateTime: new Date(beganMs).toISOString(),
    time: tookMs,
    request: {
      method,
      url: url.origin + path,
      httpVersion: 'HTTP/1.1',
      headers: requestHeaders,
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: sent.length,
      ...(sent !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: sent } }),
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: named(answerHeaders),
      cookies: [],
      content: {
        size: told.length,
        mimeType: answerHeaders['content-type'] ?? '',
        text: told,
        ...(answer === undefined && { comment: 'longer than what is kept, or packed in a way that is not known' }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: told.length,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
  }
}
