/**
 * A real simulator for tests: real HTTP on a free port, a world per test, a frozen clock, a real receiver for callbacks.

 * After every test it checks what the test forgot: the books balance in every world, every callback is found by its
 * payment, every answer and callback kept to the contract, and no error was hidden.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { readSettings } from '../../src/apps/cli/start/read-settings.ts'
import { type ServiceAnswer, ServiceClient, START } from '../../src/apps/testing/index.ts'
import { type AnyControl, controlOf, type MadeWorld } from '../../src/client/control.ts'
import type { World } from '../../src/core/world.ts'
import { type Log, silentLog } from '../../src/hosts/node/log.ts'
import { type RunningSimulator, startSimulator } from '../../src/hosts/node/simulator.ts'
import { paymentsService } from '../../src/service/service.ts'
import type { Alarms } from './alarms.ts'
import { atOnce } from './at-once.ts'
import { payoutTo } from './bodies.ts'
import { unfoundCallbacks } from './callbacks-of-payments.ts'
import { againstContract, callbacksAgainstContract, type Judged, unlistedHeaders } from './contract-check.ts'
import { againstControlContract, checkedFetch } from './control-check.ts'
import { OF_ITS_PROCESS } from './needs.ts'

export { START }

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
type Any = any

/** An answer, with its body as text and as JSON. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  body: Any
}

/** What answers of the control plane did that their contract does not say; looked at after each test. */
const amiss: string[] = []
const checked = checkedFetch((found) => amiss.push(...found))

/** Looks behind the answers, wherever worlds run. */
export interface Insides {
  /** What answers of a world are held against; `fresh`: whatever was told before. */
  judged(id: string, fresh: boolean): Promise<Judged> | Judged
  /** A fault of the scenario changes an answer on its way, so that it need not keep to the contract. */
  decidedBy(id: string, requestId: string | undefined): Promise<Decider> | Decider
  /** Removes all worlds and snapshots, and says what was wrong with books and callbacks. */
  sweep(): Promise<string[]>
}

type Decider = 'fault' | 'rule' | 'service'

/** Looks into worlds of this process. */
function insidesOf({ worlds }: RunningSimulator): Insides {
  return {
    judged: (id) => worlds.get(id),
    decidedBy: (id, requestId) => {
      const seq = Number.parseInt(requestId?.slice(4, 11) ?? '', 36)
      const { notes, rule } = worlds.get(id).core.store.journal.bySeq(seq) ?? {}
      return notes?.fault === undefined ? (rule ? 'rule' : 'service') : 'fault'
    },
    sweep: async () => {
      const found: string[] = []
      // All worlds go before anything is said, so that one failure does not become those of the tests behind it.
      for (const id of worlds.ids()) {
        const world = worlds.get(id)
        const audit = await world.commit.submit(() => atOnce(world.core.store.ledger.auditing()))
        found.push(
          ...[
            ...audit.map((imbalance) => JSON.stringify(imbalance)),
            ...callbacksAgainstContract(world),
            ...unfoundCallbacks(world.core.store.sql),
          ].map((what) => `${world.id}: ${what}`),
        )
        if (world.id !== 'default') worlds.remove(world.id)
      }
      for (const { world, name } of worlds.snapshots.list()) worlds.snapshots.remove(world, name)
      return found
    },
  }
}

/** One world, seen as a merchant and as an operator. */
export class TestWorld {
  readonly id: string
  readonly baseUrl: string
  readonly credentials: { apiKey: string; apiSecret: string; companyId: string }
  readonly #simulator: RunningSimulator
  readonly #insides: Insides
  readonly #service: ServiceClient
  readonly #control: AnyControl
  #token: string | undefined

  constructor(
    simulator: RunningSimulator,
    made: { id: string; baseUrl: string; credentials: TestWorld['credentials'] },
    insides: Insides = insidesOf(simulator),
  ) {
    this.#insides = insides
    this.#simulator = simulator
    this.id = made.id
    this.baseUrl = made.baseUrl
    this.credentials = made.credentials
    this.#service = new ServiceClient(made.baseUrl)
    this.#control = controlOf(made.baseUrl, { fetch: checked })
  }

  /** Its insides, for what no HTTP call shows. */
  get inside(): World {
    return this.#simulator.worlds.get(this.id)
  }

  get companyId(): string {
    return this.credentials.companyId
  }

  /** An access token of the default organisation, made once. */
  async token(): Promise<string> {
    this.#token ??= await this.login(this.credentials)
    return this.#token
  }

  /** Forgets the token, so that the next call makes a new one. */
  logout(): void {
    this.#token = undefined
  }

  async login({ apiKey, apiSecret }: { apiKey: string; apiSecret: string }): Promise<string> {
    const answer = await this.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.access_token
  }

  /** A GET as the default organisation, or with another token. */
  async get(path: string, options: { token?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
    return this.raw('GET', path, {
      headers: { authorization: `Bearer ${options.token ?? (await this.token())}`, ...options.headers },
    })
  }

  async post(
    path: string,
    body: unknown,
    options: { token?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return this.raw('POST', path, {
      body,
      headers: { authorization: `Bearer ${options.token ?? (await this.token())}`, ...options.headers },
    })
  }

  async put(path: string, options: { token?: string } = {}): Promise<Answer> {
    return this.raw('PUT', path, { headers: { authorization: `Bearer ${options.token ?? (await this.token())}` } })
  }

  /** Whatever a test wants to send. A string body goes as it is. */
  async raw(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await this.#service.request(method, path, options)
    // Every answer of the service that any test sees is held against the contract.
    const [pathname = ''] = path.split('?')
    if (pathname.startsWith('/api/')) expect(await this.#amiss(method, pathname, answer)).toEqual([])
    if (pathname.startsWith('/_mfano')) {
      const type = answer.headers.get('content-type')
      const exchange = { method, path: pathname, status: answer.status, type, text: answer.text }
      expect(againstControlContract(exchange)).toEqual([])
    }
    return answer
  }

  /** What an answer of the service does against its contract, unless that was wanted. */
  async #amiss(method: string, path: string, answer: ServiceAnswer): Promise<string[]> {
    const headers = unlistedHeaders(paymentsService.facts, 'answer header', answer.headers.keys())
    for (const fresh of [false, true]) {
      const judged = await this.#insides.judged(this.id, fresh)
      const found = [...againstContract(judged, method, path, answer), ...headers]
      if (found.length === 0) return []
      if (!fresh) continue
      const decided = await this.#insides.decidedBy(this.id, answer.requestId)
      if (decided === 'service') return found
      if (decided === 'rule') return [...againstContract(judged, method, path, answer, true), ...headers]
    }
    return []
  }

  /** The operator: `control('POST', '/clock/advance', {by: '5m'})`. Expects success and gives the body. */
  control(method: string, path: string, body?: unknown): Promise<Any> {
    return this.#control(method, path, { body })
  }

  /** Moves simulated time; resolves when everything due is done and told. */
  advance(by: string): Promise<{ now: string; steps: number; callbacks: { delivered: number; failed: number } }> {
    return this.control('POST', '/clock/advance', { by })
  }

  /** What a wallet of the default organisation can spend, in major units. */
  async available(currency = 'KES', organisationId = this.companyId): Promise<number> {
    const { wallets } = await this.control('GET', '/wallets')
    return (
      wallets.find((wallet: Any) => wallet.currency === currency && wallet.organisationId === organisationId)
        ?.available ?? 0
    )
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  text: string
  body: Any
}

/** A merchant's endpoint: a real HTTP server that keeps what it gets and answers as told. */
export class Receiver {
  readonly received: Received[] = []
  /** Status to answer with, or a function of what came; 200 unless a test says otherwise. */
  answer: number | ((received: Received) => number | Promise<number>) = 200
  #server: Server | undefined

  async start(): Promise<void> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString()
        const received = { path: request.url ?? '', headers: request.headers, text, body: asJson(text) }
        this.received.push(received)
        response.statusCode = typeof this.answer === 'number' ? this.answer : await this.answer(received)
        response.end('noted')
      })
    })
    // A connection at rest is not closed just when mfano uses it again, however busy the machine is.
    this.#server.keepAliveTimeout = 75_000
    await new Promise<void>((resolve) =>
      this.#server?.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => resolve()),
    )
  }

  url(path = '/callback'): string {
    const address = this.#server?.address() as AddressInfo | undefined
    return `http://127.0.0.1:${address?.port}${path}`
  }

  /** What came to a path, in order. */
  at(path: string): Any[] {
    return this.received.filter((one) => one.path === path).map((one) => one.body)
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise((resolve) => this.#server?.close(resolve))
  }
}

/** What a test file works with. */
export interface Bench {
  readonly simulator: RunningSimulator
  readonly receiver: Receiver
  /** A new world; frozen at `START` unless told otherwise, or going on from another one. */
  world(request?: {
    id?: string
    from?: string
    scenario?: string | object
    parameters?: Record<string, string | number | boolean>
    seed?: number
    clock?: object
    record?: boolean
  }): Promise<TestWorld>
  /** A payout of 100 shillings that the receiver is told of; gives its id. */
  pay(world: TestWorld, changes?: object): Promise<string>
  /** Errors that mfano logged and the test expects; the rest fail the test. */
  expectErrors(...messages: RegExp[]): void
}

/**
 * Starts a simulator for a test file and checks it after every test. `files: true` keeps worlds in real files;
 * `time`: real time that the test moves.
 */
export function useBench(options: { files?: boolean; settings?: string[]; time?: Alarms } = {}): Bench {
  let errors: string[] = []
  let expected: RegExp[] = []
  let simulator: RunningSimulator
  let insides: Insides
  const receiver = new Receiver()
  const directory = options.files ? mkdtempSync(join(tmpdir(), 'mfano-test-')) : ':memory:'
  const log: Log = {
    ...silentLog,
    error: (message, fields) => errors.push(`${message}: ${(fields?.err as Error)?.stack ?? ''}`),
  }

  const onWorkers = process.env['MFANO_TEST_HOST'] === 'workers'
  if (onWorkers && options.time) beforeEach(({ skip }) => skip(OF_ITS_PROCESS.time))

  beforeAll(async () => {
    await receiver.start()
    const reading = readSettings(['--port', '0', '--data', directory, '--log', 'off', ...(options.settings ?? [])], {})
    if (!reading.settings) throw new Error(reading.error)
    if (onWorkers) {
      // Loaded where it is used: most tests know nothing of it.
      const { workersBed } = await import('./workers-bed.ts')
      const bed = await workersBed(reading.settings)
      simulator = bed.simulator
      insides = bed.insides
      errors = bed.errors
      return
    }
    simulator = await startSimulator(reading.settings, log, {
      ...(options.time && { realTime: options.time.host }),
    })
    insides = insidesOf(simulator)
  })

  afterEach(async () => {
    const found = await insides.sweep()
    const ofCallbacks = receiver.received.filter(
      ({ headers }) => 'mfano-callback' in headers && !('mfano-sample' in headers),
    )
    const headers = new Set(ofCallbacks.flatMap((one) => Object.keys(one.headers)))
    found.push(...unlistedHeaders(paymentsService.facts, 'callback header', headers))
    const hidden = errors.filter((error) => !expected.some((pattern) => pattern.test(error)))
    errors.length = 0
    expected = []
    receiver.received.length = 0
    receiver.answer = 200
    expect(found, 'books and callbacks').toEqual([])
    expect(amiss.splice(0), 'the control plane').toEqual([])
    expect(hidden, 'errors that nobody saw').toEqual([])
  })

  afterAll(async () => {
    await simulator.close()
    await receiver.stop()
    if (options.files) rmSync(directory, { recursive: true })
  })

  return {
    get simulator() {
      return simulator
    },
    receiver,
    async world(request = {}) {
      const body = { ...(!request.from && { clock: { mode: 'frozen', start: `${START}Z` } }), ...request }
      const control = controlOf(simulator.baseUrl, { fetch: checked })
      return new TestWorld(simulator, await control<MadeWorld>('POST', '/worlds', { body }), insides)
    },
    async pay(world, changes = {}) {
      const answer = await world.post('/api/sandbox/v1/send-money', payoutTo(receiver.url(), changes))
      expect(answer.status, answer.text).toBe(201)
      return answer.body.data.requestId
    },
    expectErrors: (...messages) => {
      expected.push(...messages)
    },
  }
}
