import { recordTraffic } from '../../../judge/record-traffic.ts'
import { CLEAN, jsonFlag, type TopCommand, UsageError } from '../command.ts'
import { portValue } from '../typed-values.ts'
import { count } from '../words.ts'
import { asFailure } from './judging.ts'

export const recordCommand: TopCommand = {
  about:
    'It is a proxy that writes a HAR file. Keys, secrets and tokens are replaced by names before anything is written. Stop it with Ctrl-C.',
  flags: [
    { name: 'upstream', value: 'url', help: 'The base URL of the real service.', expected: 'an http or https address' },
    { name: 'out', value: 'file', help: 'The HAR file to create.', names: 'files', byDefault: 'traffic.har' },
    { name: 'port', value: 'number', help: 'Port to listen on. 0 takes any free port.', byDefault: '0', ...portValue },
    jsonFlag,
  ],
  examples: ['mfano record --upstream https://sandbox.example.com --out traffic.har --port 8081'],
  run: async (given, output) => {
    const upstream = upstreamOf(given.get('upstream'))
    const port = given.number('port') ?? 0
    const out = given.get('out') ?? 'traffic.har'
    const quiet = given.has('json')
    const recording = await recordTraffic({
      upstream,
      port,
      out,
      passed: ({ method, path, status }) => {
        if (!quiet) output.out(`${method} ${path} → ${status}\n`)
      },
      failed: (text) => output.error(text),
    }).catch(asFailure)
    const { url } = recording
    const ready = { event: 'ready', url, upstream: upstream.origin + upstream.pathname, out }
    output.out(
      quiet
        ? `${JSON.stringify(ready)}\n`
        : `${url} forwards to ${ready.upstream} and records to ${out}. Press Ctrl-C to stop.\n`,
    )
    await new Promise<void>((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
    const requests = await recording.close()
    if (!quiet) output.out(`${count(requests, 'request')} in ${out}.\n`)
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
