/** One world, as a test uses it. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Control, Credentials, MadeWorld, Settled, Verdict, WorldEvent } from '../../client/control.ts'
import { ServiceClient } from '../../client/service.gen.ts'
import { type ForKit, MUTATION } from '../../core/model/mutation.ts'
import type { Coverage } from '../../inspect/coverage.ts'
import { type WorldControl, worldControl } from './named-control.ts'
import { type BooksLine, type ReconcileOptions, reconcile } from './reconcile-books.ts'
import { WorldCallbacks } from './world-callbacks.ts'
import { WorldCheckout } from './world-checkout.ts'
import { type ClockRunOptions, WorldClock } from './world-clock.ts'
import { WorldCollections } from './world-collections.ts'
import { type EventFilter, worldEvents } from './world-events.ts'
import { WorldInbox } from './world-inbox.ts'
import type { WorldOptions } from './world-options.ts'
import { WorldOrganisations } from './world-organisations.ts'
import { WorldPayments } from './world-payments.ts'
import { WorldRequests } from './world-requests.ts'
import { WorldScenario } from './world-scenario.ts'
import { WorldSnapshots } from './world-snapshots.ts'
import { WorldWallets } from './world-wallets.ts'

export interface WorldServer {
  adminToken: string | undefined
  world(options: WorldOptions): Promise<TestWorld>
  remove(id: string): Promise<void>
}

/**
 * A sandbox with its own organisations, money, clock, scenario, payments and callbacks. Give your app `baseUrl` and
 * `credentials`.
 */
export class TestWorld {
  readonly id: string
  /** Give it to your app instead of the service's address. */
  readonly baseUrl: string
  /** Keys of the world's own organisation. */
  readonly credentials: Credentials
  readonly clock: WorldClock
  readonly scenario: WorldScenario
  readonly payments: WorldPayments
  readonly callbacks: WorldCallbacks
  readonly requests: WorldRequests
  readonly wallets: WorldWallets
  readonly organisations: WorldOrganisations
  /** Customers who pay without a request. */
  readonly collect: WorldCollections
  /** Saves the world under a name, to restore or fork. */
  readonly snapshots: WorldSnapshots
  /** Pays on the hosted page. */
  readonly checkout: WorldCheckout
  /**
   * Every operation of the control plane, by noun and verb, and any request below `/_mfano` of this world.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const { inForce } = await world.control.assumption.choose({ id: 'error-body', value: 'flat' })
   * assert.equal(inForce, 'flat')
   * assert.deepEqual((await world.control('GET', '/floats')).floats, (await world.control.float.list()).floats)
   * ```
   */
  readonly control: WorldControl
  readonly #server: WorldServer

  constructor(made: Pick<MadeWorld, 'id' | 'baseUrl' | 'credentials'>, server: WorldServer) {
    this.id = made.id
    this.baseUrl = made.baseUrl
    this.credentials = made.credentials
    this.#server = server
    const control = worldControl(made.baseUrl, server.adminToken)
    this.control = control
    this.clock = new WorldClock(control, { baseUrl: made.baseUrl, adminToken: server.adminToken })
    this.scenario = new WorldScenario(control)
    this.payments = new WorldPayments(control)
    this.callbacks = new WorldCallbacks(control)
    this.requests = new WorldRequests(control)
    this.wallets = new WorldWallets(control, made.credentials.companyId)
    this.organisations = new WorldOrganisations(control)
    this.collect = new WorldCollections(control)
    this.snapshots = new WorldSnapshots(control)
    this.checkout = new WorldCheckout()
  }

  /**
   * A typed client of the service, logged in. It never renews its token by itself: after five minutes of world time
   * calls fail with 401, until `login`.
   * @param credentials by default those of the world's own organisation
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * const { data } = await client.createSendMoney({
   *   phoneNumber: '254712345678',
   *   amount: 1000,
   *   remarks: 'Salary',
   *   occasion: 'January',
   *   callbackUrl: world.inbox('pay').url,
   * })
   * await world.clock.advance('10s')
   * assert.equal((await world.payments.get(data.requestId)).status, 'SUCCESS')
   *
   * await world.clock.advance('5m')
   * await assert.rejects(client.listPaybillPayments(), { status: 401 })
   * await client.login(world.credentials)
   * await client.listPaybillPayments()
   * ```
   */
  async client(credentials: Pick<Credentials, 'apiKey' | 'apiSecret'> = this.credentials): Promise<ServiceClient> {
    const client = new ServiceClient(this.baseUrl)
    await client.login(credentials)
    return client
  }

  /** Runs everything that is due, callbacks included. The same as `world.clock.settle`. */
  settle(options: ClockRunOptions & { within?: string } = {}): Promise<Settled> {
    return this.clock.settle(options)
  }

  /** A receiver for callbacks. Each name is a separate inbox. */
  inbox(name: string): WorldInbox {
    return new WorldInbox(this.control, this.baseUrl, name)
  }

  /**
   * Streams what happens from now on. Ends when the world closes or the loop ends.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const events = await world.events({ types: ['payment'] })
   * await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
   * await world.clock.advance('1m')
   * for await (const event of events) {
   *   if (event.type === 'payment' && event.to === 'SUCCESS') break
   * }
   * ```
   */
  events(filter: EventFilter = {}): Promise<AsyncGenerator<WorldEvent, void>> {
    return worldEvents(this.control, filter)
  }

  /**
   * Compares what your app believes with the ledger. Fails with every finding in a sentence, unless `failOn` is
   * `never`.
   * @param books one line for each payment that the app believes it asked for, or the same as CSV
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * const salary = { phoneNumber: '254712345678', amount: 1000, remarks: 'Salary', occasion: 'May' }
   * await client.createSendMoney({ ...salary, referenceId: 'may-1', callbackUrl: world.inbox('pay').url })
   * await world.settle()
   * await world.reconcile([{ reference: 'may-1', kind: 'send-money', amount: 1000, status: 'SUCCESS' }])
   * await assert.rejects(world.reconcile([]), /paid_unknown: The send-money of KES 1,000.00 .* not in the books/)
   * ```
   */
  reconcile(books: readonly BooksLine[] | string, options: ReconcileOptions = {}): Promise<Verdict> {
    return reconcile(this.control, books, options)
  }

  /**
   * Returns what the tests exercised: operations, request fields, refusals, ends and edges of payments, outcomes of callbacks and
   * tokens, alternatives of assumptions. Also what leads to each gap.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * await using payouts = await mfano.world()
   * await using reads = await mfano.world({ scenario: 'errors-in-flat-form' })
   * await (await payouts.client()).listTillPayments({})
   * await (await reads.client()).listPaybillPayments()
   * const { operations } = mergeCoverage([await payouts.coverage(), await reads.coverage()])
   * assert.deepEqual(operations.hit.sort(), ['getToken', 'listPaybillPayments', 'listTillPayments'])
   * ```
   */
  coverage(): Promise<Coverage> {
    return this.control('GET', '/coverage')
  }

  /**
   * Describes what happened: the newest payments with their rules, and refused requests. Fixtures print it when a
   * test fails.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
   * assert.match(await world.report(), /stk .* KES 250.00: PENDING/)
   * ```
   */
  report(): Promise<string> {
    return this.control.text('GET', '/report', { query: { format: 'text' } })
  }

  /**
   * A copy that continues from here, with everything that is due. Neither sees the other, so a suite can prepare one
   * world and fork it for each test.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const prepared = await mfano.world()
   * await prepared.wallets.fund(5000)
   * await using world = await prepared.fork()
   * assert.equal(await world.wallets.available(), 1005000)
   * ```
   */
  fork(options: Omit<WorldOptions, 'from' | 'seed' | 'assumptions'> = {}): Promise<TestWorld> {
    return this.#server.world({ ...options, from: this.id })
  }

  /** Back to the beginning: empty, with the current id, seed, clock setting and scenario. */
  async reset(): Promise<void> {
    await this.control('POST', '/reset')
  }

  /** Removes the world and everything in it. With `MFANO_COVERAGE=folder`, its coverage is written there. */
  async close(): Promise<void> {
    await this.clock.leave()
    await keepCoverage(this.control, this.id)
    await keepTold(this.control, this.id)
    await this.#server.remove(this.id)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

// Writes the coverage of each world when it closes, so that the reports of a suite can be merged.

/** The folder for reports. Without it nothing is written. */
const FOLDER = 'MFANO_COVERAGE'

async function keepCoverage(control: Control, worldId: string): Promise<void> {
  const folder = process.env[FOLDER]
  if (!folder) return
  const coverage = await control('GET', '/coverage')
  mkdirSync(folder, { recursive: true })
  // Processes share the folder, and a process may have several servers.
  const { hrtime, pid } = process
  writeFileSync(join(folder, `${pid}-${hrtime.bigint()}-${worldId}.json`), JSON.stringify(coverage))
}

// Applies the mutation of `mfano mutants` to a suite's worlds, or keeps what they answered.

function asked(): ForKit | undefined {
  const text = process.env[MUTATION]
  return text ? JSON.parse(text) : undefined
}

/** Call it for each new world. Does nothing unless mutants run. */
export async function beginMutation(control: Control): Promise<void> {
  const what = asked()
  if (!what) return
  if ('tell' in what) await control('PUT', '/mutation', { body: what.tell })
  else await control('POST', '/told')
}

/** Call it before a world closes. */
async function keepTold(control: Control, worldId: string): Promise<void> {
  const what = asked()
  if (!what || 'tell' in what) return
  const { told } = await control('GET', '/told')
  // Processes share the folder, and a process may have several servers.
  const { hrtime, pid } = process
  writeFileSync(join(what.keepIn, `${pid}-${hrtime.bigint()}-${worldId}.json`), JSON.stringify(told))
}
