import { runInNewContext } from 'node:vm'
import { keysIn } from '../../../core/model/must.ts'
import { printable } from '../../../core/model/text.ts'
import type { Log } from '../../../hosts/node/log.ts'
import { openTracing } from '../../../hosts/node/open-tracing.ts'
import { packageVersion } from '../../../hosts/node/package.ts'
import { openLog, type Settings, startFailure } from '../../../hosts/node/settings.ts'
import { afterRealMs, everyRealMs, steadyNowUs, wallNowMs } from '../../../hosts/node/wall.ts'
import type { AnswerAgent } from '../../../server/front-ports.ts'
import { CLEAN } from '../command.ts'
import { shellWord } from '../words.ts'
import { deferFetch } from './defer-fetch.ts'
import type { SettingsRead } from './read-settings.ts'

const FAILED = 1
/** Milliseconds for an orderly shutdown. Committed data also survives a hard one. */
const CLOSE_WITHIN_MS = 1_800
const signals = { SIGINT: 130, SIGTERM: 143 }
const ORPHAN_CHECK_MS = 100

export async function runSandbox({ settings, warnings }: SettingsRead, json: boolean): Promise<number> {
  const log = await openLog(settings, process.stdout.hasColors?.() ?? false)
  process.on('exit', () => log.flush())

  let close: (() => Promise<void>) | undefined
  let stopping = false
  const stop = async (signal: keyof typeof signals) => {
    // A second signal means now; so does one before there is anything to close.
    if (stopping || close === undefined) process.exit(signals[signal])
    stopping = true
    afterRealMs(CLOSE_WITHIN_MS, () => {
      log.warn(`not closed within ${CLOSE_WITHIN_MS} ms, leaving`)
      process.exit(0)
    })
    try {
      await close()
      process.exit(0)
    } catch (err) {
      log.error('closing failed', { err })
      process.exit(FAILED)
    }
  }
  // From the beginning: the first process of a container gets no default handling of signals.
  for (const signal of keysIn(signals)) process.on(signal, () => void stop(signal))
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => void stop('SIGTERM'))

  const simulator = await start(settings, log)
  if (simulator === undefined) return FAILED
  close = simulator.close
  const { data, adminToken } = settings
  const ready = { ...simulator, version: packageVersion(), guarded: adminToken !== undefined, data, warnings }
  const readable = !json && settings.log !== 'json'
  process.stdout.write(readable ? readyNotice(ready) : readyLine(ready))
  if (!readable) for (const warning of warnings) log.warn(warning)
  holdHeapDown()
  return CLEAN
}

async function start(settings: Settings, log: Log) {
  try {
    deferFetch()
    const tracing = openTracing(process.env, packageVersion(), log)
    const { startSimulator } = await import('../../../hosts/node/simulator.ts')
    // Another one at each start. Not drawn by crypto, which a start need not load.
    const idSeed = steadyNowUs() % 2 ** 32
    const simulator = await startSimulator(settings, log, { ownProcess: true, agents, tracing, idSeed })
    return { ...simulator, close: () => simulator.close() }
  } catch (error) {
    process.stderr.write(`mfano: ${printable(startFailure(error, settings))}\n`)
    // Something that was opened before the failure may still hold the process.
    process.exit(FAILED)
  }
}

/**
 * `npm start` signals only its shell, which dies without telling mfano. Without this check mfano would keep running
 * unseen and hold the port. (`exec` in the script would help on Unix but break Windows.)
 */
function whenOrphaned(act: () => void): void {
  const parent = process.ppid
  const stop = everyRealMs(ORPHAN_CHECK_MS, () => {
    if (process.ppid === parent) return
    stop()
    act()
  })
}

/** Loaded with the first agent request, because most processes get none. */
const agents: AnswerAgent = async (request, backend) =>
  (await import('../../mcp/mcp-server.ts')).answerAgent(request, backend)

export interface Ready {
  version: string
  baseUrl: string
  port: number
  scenario: { name: string; description: string }
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  guarded: boolean
  authority?: { file: string | undefined }
  seed?: number | undefined
  callbackHost?: string | undefined
  data: string
  warnings: readonly string[]
}

/** Uses HTTP if the authority's certificate is not stored, because curl could not verify HTTPS. */
function curlOf({ baseUrl, authority }: Ready): { curl: string; base: string } {
  if (!authority) return { curl: 'curl -s', base: baseUrl }
  if (authority.file === undefined) return { curl: 'curl -s', base: baseUrl.replace(/^https:/, 'http:') }
  return { curl: `curl -s --cacert ${shellWord(authority.file)}`, base: baseUrl }
}

export function readyLine(ready: Ready): string {
  const { version, baseUrl, port, scenario, credentials, guarded, authority, data, warnings } = ready
  const line = {
    event: 'ready',
    version,
    baseUrl,
    port,
    scenario: scenario.name,
    data,
    credentials,
    docs: `${baseUrl}/docs`,
    contract: `${baseUrl}/openapi.json`,
    dashboard: `${baseUrl}/_mfano/`,
    control: `${baseUrl}/_mfano/`,
    ...(authority && { authority: authority.file ?? `${baseUrl}/_mfano/ca.pem` }),
    ...(warnings.length > 0 && { warnings }),
    firstPayment: firstPayment(baseUrl, credentials, curlOf(ready)),
    readCallback: readInbox(baseUrl, guarded, curlOf(ready)),
  }
  return `${JSON.stringify(line)}\n`
}

export function readyNotice(ready: Ready): string {
  const { version, baseUrl, scenario, credentials, guarded, authority, seed, callbackHost, data, warnings } = ready
  const trusted =
    authority &&
    `\n  trust        ${authority.file ?? `${curlOf(ready).base}/_mfano/ca.pem`} (how: ${baseUrl}/docs/https)`
  return `
  mfano ${version} is ready

  base URL     ${baseUrl}${trusted ?? ''}
  apiKey       ${credentials.apiKey}
  apiSecret    ${credentials.apiSecret}
  companyId    ${credentials.companyId}
  scenario     ${scenario.name}: ${scenario.description.trim().replaceAll(/\s+/g, ' ')}
  ids          ${seed === undefined ? 'new in every new default world and after a reset; --seed 1 repeats them' : `of seed ${seed}`}
  data         ${data === ':memory:' ? 'kept in memory, and gone when mfano stops' : data}${callbackHost === undefined ? '' : `\n  callbacks    localhost in a callbackUrl is ${callbackHost}`}

  docs         ${baseUrl}/docs
  contract     ${baseUrl}/openapi.json
  dashboard    ${baseUrl}/_mfano/${guarded ? ' (asks for MFANO_ADMIN_TOKEN)' : ''}
  log          with this machine's time, ${/GMT[+-]\d{4}/.exec(String(new Date(wallNowMs())))?.[0]}
${warnings.map((warning) => `\n  Warning: ${warning}\n`).join('')}
Send money to a phone:

${firstPayment(baseUrl, credentials, curlOf(ready))}

A few seconds later, read the callback that tells how it ended:

${readInbox(baseUrl, guarded, curlOf(ready))}

`
}

export function firstPayment(
  baseUrl: string,
  { apiKey, apiSecret }: Ready['credentials'],
  { curl, base } = { curl: 'curl -s', base: baseUrl },
): string {
  const payment = {
    phoneNumber: '254712345678',
    amount: 150,
    currencyCode: 'KSH',
    remarks: 'Lunch',
    occasion: 'Hello',
    callbackUrl: `${base}/_mfano/inbox/hello`,
    referenceId: 'hello-1',
  }
  // sed rather than jq, which few machines have.
  return `TOKEN=$(${curl} ${shellWord(`${base}/api/v1/get-token`)} -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify({ apiKey, apiSecret }))} | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')
${curl} ${shellWord(`${base}/api/sandbox/v1/send-money`)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d ${shellWord(JSON.stringify(payment))}`
}

export function readInbox(
  baseUrl: string,
  guarded: boolean,
  { curl, base } = { curl: 'curl -s', base: baseUrl },
): string {
  const token = guarded ? ' -H "Authorization: Bearer $MFANO_ADMIN_TOKEN"' : ''
  return `${curl} ${shellWord(`${base}/_mfano/inbox/hello`)}${token}`
}

/**
 * Growth in percent after which the old generation is collected. Node's own default is to wait until it has at least
 * doubled.
 */
const GROWTH_PERCENT = 60
/** Real milliseconds until the first collection, so that it does not delay the first request. */
const FIRST_CLEARED_MS = 1_000

/**
 * Call it once everything is loaded. It is not a flag on Node's command line, because Node's built-in code cache is
 * bound to the flags it was made with: with other flags Node recompiles its own modules, which adds a third to the
 * start.
 */
export function holdHeapDown(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  // Objects made at the start live on. V8 takes that for a rule, and makes whatever comes from the same places in the old
  // generation, where in requests it is garbage at once.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Growth counts from the heap that a collection left. Before the first one V8 allows for hundreds of megabytes.
  afterRealMs(FIRST_CLEARED_MS, () => {
    setFlagsFromString('--expose-gc')
    const collect: NodeJS.GCFunction = runInNewContext('gc')
    void collect({ type: 'major', execution: 'async' })
  })
}
