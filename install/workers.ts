/**
 * `npm run workers`: mfano in workerd on this machine, as Cloudflare runs it; settings are the variables of `mfano start`.
 * `npm run workers:deploy`: puts it on Cloudflare; what stands behind it is wrangler's, `-- --dry-run` among it.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { bundleWorker } from './workers-bundle.ts'
import { DEPLOYMENT, serveWorker } from './workers-serve.ts'

/** Fetched when something is deployed: nobody else needs its 230 MB. */
const WRANGLER = 'wrangler@4.164.0'

/** Wrangler says less than this where nobody can answer it. */
const NEEDS = `It failed. A deployment needs an account of Cloudflare: run "npx ${WRANGLER} login", or set CLOUDFLARE_API_TOKEN to a token
that may edit Workers scripts, and CLOUDFLARE_ACCOUNT_ID where it may do so in several accounts. Without any,
"npm run workers:deploy -- --dry-run" bundles it and checks its configuration.`

const [first, ...rest] = process.argv.slice(2)
await bundleWorker()
if (first === 'deploy') deploy(rest)
else await serve()

function deploy(more: readonly string[]): void {
  const npx = spawn('npx', ['--yes', WRANGLER, 'deploy', '--config', DEPLOYMENT, ...more], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  npx.once('exit', (code) => {
    process.exitCode = code ?? 1
    if (code !== 0) console.error(`\n${NEEDS}`)
  })
}

async function serve(): Promise<void> {
  const { port, host, data } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['PORT'] ?? '8080' },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string', default: 'data/workers' },
    },
  }).values
  const variables = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[0].startsWith('MFANO_') && entry[1] !== undefined,
  )
  const served = await serveWorker({
    port: Number(port),
    host,
    data,
    variables: Object.fromEntries(variables),
    said: (line) => console.error(line),
  })
  console.log(`mfano answers in workerd at http://${host}:${served.port}; its worlds are in ${data}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => served.process.kill(signal))
  await served.ended
}
