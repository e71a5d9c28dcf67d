import { existsSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer, type Server as NetServer } from 'node:net'
import { relative } from 'node:path'
import type { SecureContext } from 'node:tls'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { unfitNode } from '../../../bin/node-version.js'
import type { Observer } from '../../core/core.ts'
import type { Gate, Host, Post } from '../../core/host.ts'
import { isLoopback, type Network } from '../../core/model/callback.ts'
import type { CallbackDomainEvent } from '../../core/model/journal.ts'
import { maskPath } from '../../core/model/mask.ts'
import { errorOf, once } from '../../core/model/must.ts'
import { DEFAULT_ORGANISATION } from '../../core/model/payment.ts'
import { printProblem } from '../../core/model/problems.ts'
import { DEFAULT_WORLD } from '../../core/new-world.ts'
import type { Scenario } from '../../core/scenario.ts'
import type { ScenarioLibrary } from '../../core/scenario-library.ts'
import { Worlds } from '../../core/worlds.ts'
import { front } from '../../server/front.ts'
import type { AnswerAgent, Metrics } from '../../server/front-ports.ts'
import { paymentsService } from '../../service/service.ts'
import { connectionsFrom, inContainer } from './callback-sender.ts'
import { dashboardAssets, docFiles } from './http/assets.ts'
import { NodeConnection, PatientResponse } from './http/connection.ts'
import type { Log } from './log.ts'
import { ProcessCounts } from './metrics/figures.ts'
import type { Tracing } from './open-tracing.ts'
import { packageVersion } from './package.ts'
import { scenarioLibrary } from './scenarios.ts'
import { authorityFile, type Settings } from './settings.ts'
import { storage } from './storage/files.ts'
import { lackOfDescriptors } from './storage/storage-errors.ts'
import { type Followed, followScenario } from './storage/watch.ts'
import type { OwnTls } from './tls/own-tls.ts'
import { afterRealMs, alarmRealMs, atNextTurn, steadyNowUs } from './wall.ts'

export type RunningSimulator = Awaited<ReturnType<typeof startSimulator>>

const GRACE_MS = 1000
/**
 * Real milliseconds. A client that reuses a connection while the server closes it gets ECONNRESET, and Node's five
 * seconds pass easily on a busy machine. This is longer than the minute of most proxies.
 */
const IDLE_CONNECTION_MS = 75_000
/** Connections that may wait to be accepted, where the system allows it; Node's 511 reject a parallel test suite. */
const BACKLOG = 4096

/**
 * The only place that knows all parts. Resolves once the port answers. `realTime` replaces the machine's clock.
 * `ownProcess`: nothing else runs here, so the HTTP adapter may replace Node's Request and Response by faster ones.
 * `agents` answers MCP clients. `gate` sees requests and callbacks first. `tracing` gets both as spans.
 */
export async function startSimulator(
  settings: Settings,
  log: Log,
  {
    realTime,
    gate,
    tracing,
    idSeed,
    ...options
  }: {
    realTime?: RealTime
    ownProcess?: boolean
    keepsBelow?: boolean
    idSeed?: number
    gate?: Gate | undefined
    tracing?: Tracing | undefined
    agents?: AnswerAgent
  } = {},
) {
  // Too old a Node ends in SQLite's driver, without a word.
  const unfit = unfitNode()
  if (unfit !== undefined)
    throw Object.assign(new Error(`${unfit}.`), { hint: `Run it with a newer one: ${withNewerNode()}` })
  const trusted = Promise.withResolvers<(() => Promise<SecureContext>) | undefined>()
  const trust = async () => (await trusted.promise)?.()
  const callbackHost = await callbackHostOf(settings.callbackHost)
  const outside = nodeHost({ callbackHost, realTime, trust })
  const host = guardedHost(outside, gate)
  const library = scenarioLibrary()
  const followed = settings.watch ? follow(settings, library, log, host.alarm, () => worlds) : undefined
  const latest: ScenarioLibrary['find'] = (name, parameters) => {
    if (followed && name === settings.scenario && parameters === settings.set) return followed.current
    return library.find(name, parameters)
  }
  const counts = new ProcessCounts()
  const worlds: Worlds = new Worlds({
    service: paymentsService,
    ...storage(settings.data, settings.durability),
    host,
    library: { ...library, find: latest },
    observer: (world) => observer(world, log, counts, tracing && traced(world, tracing, () => worlds)),
    scenario: settings.scenario,
    ...(settings.set && { parameters: settings.set }),
    openMax: settings.openWorlds,
    inboxBytes: settings.inboxMegabytes * 1_000_000,
    record: settings.record,
    seed: settings.seed,
    idSeed,
    version: packageVersion(),
  })
  let tls: OwnTls | undefined
  try {
    // Behind the worlds, which fail where another mfano has the data folder. Loaded where somebody wants it.
    tls = settings.tls ? await (await import('./tls/own-tls.ts')).ownTls(settings, log) : undefined
    trusted.resolve(await trustFor(settings, tls))
  } catch (error) {
    followed?.close()
    worlds.close()
    throw error
  }
  const routes = new Map<string | null, string>(tracing && paymentsService.operations.map(({ id, path }) => [id, path]))
  const answer = front({
    worlds,
    adminToken: settings.adminToken,
    publicUrl: settings.baseUrl,
    ...(settings.trustProxy && { trustProxy: true }),
    observe: (event, tookMs) => {
      const { world, requestId, operation, method, path, status, rule, error } = event
      counts.request(operation, status, tookMs)
      tracing?.request({ ...event, tookMs, route: routes.get(operation) })
      const told = error === undefined ? undefined : String(error)
      log.request?.({ world, requestId, method, path, status, tookMs, rule: rule ?? undefined, error: told })
      if (error !== undefined) log.error('a request failed inside mfano', { err: error, requestId })
    },
    nowMs: () => process.uptime() * 1000,
    version: packageVersion(),
    assets: dashboardAssets((said) => log.error('the dashboard could not be built', { err: said })),
    docs: docFiles(),
    metrics: metricsOf(counts, () => worlds),
    ...(tls && { authority: tls.authority.certificate }),
    ...(options.agents && { agents: options.agents }),
    ...(options.keepsBelow && { keepsBelow: true }),
  })
  const ownFetch: typeof fetch = async (address, init) => answer(new Request(address, init))
  const served = guarded((request, bindings) => answer(request, new NodeConnection(bindings as HttpBindings)), gate)
  const server = createAdaptorServer({
    fetch: served,
    overrideGlobalObjects: options.ownProcess ?? false,
    serverOptions: { ServerResponse: PatientResponse },
  }) as Server
  server.keepAliveTimeout = IDLE_CONNECTION_MS
  const endUnbegun = tls?.speak(server)
  await listen(server, settings)
  const at = server.address()
  if (at === null || typeof at === 'string') throw new Error('The server does not listen on a port.')
  const { port, address } = at
  const alsoOn = address === '127.0.0.1' ? await listenOnIpv6Loopback(server, port, settings, log) : undefined
  const own = `://${isAny(address) ? '127.0.0.1' : bracketed(address)}:${port}`
  host.listens(`http${own}`, tls ? ['http:', 'https:'] : ['http:'])
  const { scenario } = worlds
  // Absent where its file cannot be opened: then it is not served.
  const origin = worlds.open.find(({ id }) => id === DEFAULT_WORLD)?.origin
  warnOf(scenario, log)
  if (settings.record) warnUnrecorded(worlds, log)
  return {
    port,
    baseUrl:
      settings.baseUrl ??
      `${tls ? 'https' : 'http'}://${isAny(settings.host) ? 'localhost' : bracketed(settings.host)}:${port}`,
    scenario: { name: scenario.name, description: scenario.description },
    seed: origin?.idSeed === undefined ? origin?.seed : undefined,
    credentials: {
      apiKey: DEFAULT_ORGANISATION.apiKey,
      apiSecret: DEFAULT_ORGANISATION.apiSecret,
      companyId: DEFAULT_ORGANISATION.uuid,
    },
    worlds,
    callbackHost,
    ...(tls && { authority: tls.authority }),
    fetch: ownFetch,
    close: async () => {
      followed?.close()
      // Those who only listen are told that it is over; the others get their answers.
      for (const world of worlds.open) {
        world.feed.close()
        world.participants.close('closed')
        world.forwarders.hangUp()
      }
      endUnbegun?.()
      alsoOn?.close()
      await stopListening(server)
      worlds.close()
      await tracing?.close()
    },
  }
}

/** The command that was given, as far as a process knows it: a runner of tests hides it from its workers. */
function withNewerNode(): string {
  const { npm_lifecycle_event: script, npm_lifecycle_script: line, NODE_TEST_CONTEXT: isTest } = process.env
  if (script === 'npx' && line !== undefined) return `npx -p node@24 -c '${line.replaceAll("'", "'\\''")}'`
  const [, program = '', ...words] = process.argv
  if (script === undefined && program !== '' && !program.includes('node_modules'))
    return ['npx node@24', ...(isTest ? ['--test'] : []), relative(process.cwd(), program), ...words].join(' ')
  return `npx -p node@24 npm ${script === undefined || script === 'test' ? 'test' : `run ${script}`}`
}

/** The authorities that receivers may have certificates of, where these are more than Node's. */
async function trustFor(settings: Settings, tls: OwnTls | undefined) {
  const { data, callbackCa } = settings
  if (!tls && callbackCa === undefined && (data === ':memory:' || !existsSync(authorityFile(data)))) return undefined
  return (await import('./tls/own-tls.ts')).callbackTrust(settings, tls)
}

function metricsOf(counts: ProcessCounts, worlds: () => Worlds): Metrics {
  const exposition = once(() =>
    import('./metrics/exposition.ts').then(({ expositionOf }) => expositionOf(counts, worlds(), packageVersion())),
  )
  return async () => (await exposition())()
}

function follow(
  settings: Settings,
  library: ScenarioLibrary,
  log: Log,
  alarm: RealTime['alarm'],
  worlds: () => Worlds,
): Followed {
  const { scenario: path, set } = settings
  return followScenario({
    alarm,
    read: (onFile) => library.find(path, set, onFile),
    changed: (scenario) => {
      Promise.resolve()
        .then(() => worlds().default.perform({ command: 'set-scenario', scenario }))
        .then(() => {
          log.info(`scenario ${scenario.name} was read again, and holds for new payments`, { file: path })
          warnOf(scenario, log)
        })
        .catch((err) => log.error('the scenario that was read again could not be taken', { err }))
    },
    broken: (error) => {
      log.warn('the scenario cannot be used as it was saved; the last good one stays', { file: path })
      for (const line of errorOf(error).message.split('\n')) log.warn(line)
    },
  })
}

function warnUnrecorded({ default: world }: Worlds, log: Log): void {
  if (!world.origin.recorded) log.warn('the default world was made without --record; it is recorded once it is reset')
}

/** Only for a user's own scenario, because shipped ones are tested. */
function warnOf(scenario: Scenario, log: Log): void {
  if (scenario.file === undefined) return
  for (const warning of scenario.warnings()) log.warn(printProblem(warning))
}

function listen(server: Server, settings: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: settings.port, host: settings.host, backlog: BACKLOG }, () => resolve())
  })
}

/** Some programs ask for localhost by IPv6 first. A machine without IPv6 is served by IPv4 alone. */
function listenOnIpv6Loopback(server: Server, port: number, settings: Settings, log: Log): Promise<NetServer> {
  const other = createServer({ noDelay: true }, (socket) => server.emit('connection', socket))
  return new Promise((resolve) => {
    other.once('listening', () => resolve(other))
    other.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EADDRINUSE' && settings.port !== 0)
        log.warn(`another program listens at [::1]:${port}, and http://localhost:${port} may lead there`)
      resolve(other)
    })
    other.listen({ port, host: '::1', backlog: BACKLOG })
  })
}

function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cancel = afterRealMs(GRACE_MS, () => server.closeAllConnections())
    server.close(() => {
      cancel()
      resolve()
    })
    server.closeIdleConnections()
  })
}

function isAny(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function traced(id: string, tracing: Tracing, worlds: () => Worlds): (event: CallbackDomainEvent) => void {
  return (event) => {
    const world = worlds().open.find((one) => one.id === id)
    if (world) tracing.attempt(world, event)
  }
}

function observer(
  world: string,
  log: Log,
  counts: ProcessCounts,
  traced?: (event: CallbackDomainEvent) => void,
): Observer {
  return {
    committed: (pieces) => counts.batches.add(pieces),
    stepped: (steps) => {
      counts.steps += steps
    },
    happened: (what) => {
      if (what.type === 'payment') {
        const { kind, uuid, from, to, by } = what
        log.transition?.({ world, kind, uuid, from: from ?? undefined, to, by })
      } else if (what.type === 'callback' && what.attempt) {
        const { number, status, error, diagnosis, tookMs } = what.attempt
        counts.attempt(what.attempt)
        traced?.(what)
        log.callback?.({
          world,
          callbackId: what.uid,
          url: maskPath(what.url),
          attempt: number,
          status: status ?? undefined,
          error: error ?? undefined,
          diagnosis: diagnosis ?? undefined,
          tookMs,
        })
      }
    },
    error: (error, doing) => log.error(`failed: ${doing}`, { err: error, world }),
  }
}

export type RealTime = Pick<Host, 'wallUs' | 'alarm'>

const processTime: RealTime = { wallUs: steadyNowUs, alarm: alarmRealMs }

export function nodeHost({
  callbackHost,
  realTime = processTime,
  trust,
}: {
  callbackHost?: string | undefined
  realTime?: RealTime | undefined
  trust?: () => Promise<SecureContext | undefined>
}): Host & { listens(baseUrl: string, protocols: readonly string[]): void } {
  const place: Network = { container: inContainer(), callbackHost }
  const { promise: ownBaseUrl, resolve } = Promise.withResolvers<string>()
  let spoken: readonly string[] = []
  return {
    ...realTime,
    defer: atNextTurn,
    connections: () => connectionsFrom(place, realTime, trust),
    ownBaseUrl: () => ownBaseUrl,
    isHere: (address) => place.own !== undefined && spoken.includes(address.protocol) && isSame(address, place.own),
    listens: (baseUrl, protocols) => {
      place.own = new URL(baseUrl)
      spoken = protocols
      resolve(baseUrl)
    },
    // Loaded when somebody looks, as it takes TLS along.
    reach: {
      place,
      probe: async (...given) => (await import('./callbacks/probe.ts')).probe(...given, await trust?.()),
    },
    lack: lackOfDescriptors,
  }
}

function isSame(one: URL, other: URL): boolean {
  if (one.port !== other.port) return false
  return one.hostname === other.hostname || (one.hostname === 'localhost' && isLoopback(other.hostname))
}

const LOOKED_UP_MS = 1000

/**
 * The host that replaces localhost in callback URLs. One name is taken as it is, because it may become known later. Of
 * several, it is the first that resolves now.
 */
export async function callbackHostOf(setting: string | undefined): Promise<string | undefined> {
  const names = setting?.split(',').map((name) => name.trim()) ?? []
  if (names.length < 2) return names[0]
  const { lookup } = process.getBuiltinModule('node:dns').promises
  const late = new Promise<boolean>((resolve) => afterRealMs(LOOKED_UP_MS, () => resolve(false)))
  const resolves = (name: string) =>
    lookup(name).then(
      () => true,
      () => false,
    )
  const known = await Promise.all(names.map((name) => Promise.race([resolves(name), late])))
  return names.find((_, i) => known[i])
}

type Fetch = (request: Request, bindings: object) => Response | Promise<Response>

function guarded(answer: Fetch, gate: Gate | undefined): Fetch {
  if (!gate) return answer
  return (request, bindings) =>
    gate.request(
      request,
      () => answer(request, bindings),
      () => overOf(bindings as HttpBindings),
    )
}

function overOf({ outgoing }: HttpBindings): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.closed) resolve()
    else outgoing.once('close', resolve)
  })
}

function guardedHost<H extends Host>(host: H, gate: Gate | undefined): H {
  if (!gate) return host
  const connections = () => {
    const { send, close } = host.connections()
    return { send: (post: Post) => gate.callback(post, send), close }
  }
  return { ...host, connections, isHere: () => false }
}
