/** `npm run workers`: mfano in workerd on this machine, as Cloudflare would run it. Settings are the variables of `mfano start`. */
import { parseArgs } from 'node:util'
import { bundleWorker } from './workers-bundle.ts'
import { serveWorker } from './workers-serve.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env['PORT'] ?? '8080' },
    host: { type: 'string', default: '127.0.0.1' },
    data: { type: 'string', default: 'data/workers' },
  },
})
const variables = Object.fromEntries(
  Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('MFANO_') && entry[1] !== undefined,
  ),
)

await bundleWorker()
const served = await serveWorker({
  port: Number(values.port),
  host: values.host,
  data: values.data,
  variables,
  said: (line) => console.error(line),
})
console.log(`mfano answers in workerd at http://${values.host}:${served.port}; its worlds are in ${values.data}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => served.process.kill(signal))
await served.ended
