import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AnyControl,
  type Control,
  type ControlBody,
  type Credentials,
  eventsOf,
  type MadeWorld,
  type NamedControl,
  type Verdict,
  type WorldEvent,
} from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { ServiceClient } from '../../client/service.gen.ts'
import { must } from '../../core/model/must.ts'
import {
  type Subject,
  type Subjects,
  type Verification,
  type Verified,
  verify,
  type WaitOptions,
  type Where,
  waitFor,
} from './verification.ts'
import { WorldClock } from './world-clock.ts'
import { namedControl, worldControl } from './world-control.ts'
import { WorldInbox } from './world-inbox.ts'
import type { WorldOptions } from './world-options.ts'

export interface WorldServer {
  adminToken: string | undefined
  world(options: WorldOptions): Promise<TestWorld>
  remove(id: string): Promise<void>
}

export interface EventFilter {
  /** Default: all. */
  types?: readonly Exclude<WorldEvent['type'], 'gap'>[]
  /** A condition in CEL over the event, as `GET /_mfano/events` takes it. */
  where?: string
  /** Starts with this many past events. */
  recent?: number
  signal?: AbortSignal
}

/** A payment, as the app sees it. Missing fields are not compared. */
export interface BooksLine {
  /** Sent as `referenceId` or `externalReference`. */
  reference?: string | null
  /** The service's id, if the app knows it. */
  requestId?: string | null
  kind?: string
  /** Major units. */
  amount?: number | string
  currency?: string
  /** In the service's words. */
  status?: string
  /** If the app knows: the fee of the rails, and what it owes the payer. */
  fee?: number | string
  refundDue?: number | string
}

type ReconcileBody = ControlBody<'POST', '/reconcile'>

export interface ReconcileOptions extends Omit<ReconcileBody, 'books'> {
  /** Findings that make it fail: those about money (default), or also advice. */
  failOn?: 'error' | 'warning' | 'never'
}

/** Every operation of the control plane, by noun and verb. */
export interface TestWorld extends Omit<NamedControl, 'clock' | 'credentials' | 'inbox'> {}

/**
 * A sandbox with its own organisations, money, clock, scenario, payments and callbacks. Give your app `baseUrl` and
 * `credentials`.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns what is declared
export class TestWorld {
  readonly id: string
  /** Give it to your app instead of the service's address. */
  readonly baseUrl: string
  /** Keys of the world's own organisation. */
  readonly credentials: Credentials & NamedControl['credentials']
  readonly clock: WorldClock & Omit<NamedControl['clock'], 'advance'>
  /** A receiver for callbacks. Each name is a separate inbox. */
  readonly inbox: ((name: string) => WorldInbox) & NamedControl['inbox']
  /** Any request below `/_mfano` of this world. */
  readonly control: Control & AnyControl
  readonly #server: WorldServer

  constructor({ id, baseUrl, credentials }: Pick<MadeWorld, 'id' | 'baseUrl' | 'credentials'>, server: WorldServer) {
    this.id = id
    this.baseUrl = baseUrl
    this.#server = server
    this.control = worldControl(baseUrl, server.adminToken)
    const { clock, credentials: verbs, inbox, ...nouns } = namedControl(this.control)
    const { advance: _, ...others } = clock
    Object.assign(this, nouns)
    this.clock = Object.assign(new WorldClock(this.control, { baseUrl, adminToken: server.adminToken }), others)
    this.inbox = Object.assign((name: string) => new WorldInbox(this.control, baseUrl, name), inbox)
    // Not enumerable, so that copies of the keys are keys alone.
    this.credentials = Object.defineProperty({ ...credentials, ...verbs }, 'create', { enumerable: false })
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
   * assert.equal((await world.payment.show({ id: data.requestId })).status, 'SUCCESS')
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

  /**
   * Major units that the world's own organisation can spend now. 0 without a wallet.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ scenario: 'insufficient-funds' })
   * const before = await world.available()
   * await world.wallet.fund({ amount: 5000 })
   * assert.equal(await world.available('KES'), before + 5000)
   * ```
   */
  async available(currency = 'KES'): Promise<number> {
    const { companyId } = this.credentials
    const { wallets } = await this.wallet.list()
    return wallets.find((one) => one.organisationId === companyId && one.currency === currency)?.available ?? 0
  }

  /**
   * Waits for a matching payment, callback, request or message, and returns the newest. Fails with what came nearest.
   * In a frozen world only requests cause anything, so move the clock first.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ clock: { mode: 'scaled', rate: 100 } })
   * const callbackUrl = world.inbox('app').url
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250, referenceId: 'order-7', callbackUrl })
   * const paid = await world.waitFor('payment', { referenceId: 'order-7', status: 'SUCCESS' })
   * assert.equal(paid.amount, 250)
   * const told = await world.waitFor('callback', { payment: paid.uuid, state: 'delivered' })
   * assert.equal(told.body.status, 'SUCCESS')
   * ```
   */
  async waitFor<Of extends Subject>(
    subject: Of,
    where: Where<Of> = {},
    options: WaitOptions = {},
  ): Promise<Subjects[Of]> {
    const [newest] = await waitFor(this.control, subject, where, options)
    return must(newest)
  }

  /** Waits for this many different ones. */
  waitForSome<Of extends Subject>(
    subject: Of,
    count: number,
    where: Where<Of> = {},
    options: WaitOptions = {},
  ): Promise<Subjects[Of][]> {
    return waitFor(this.control, subject, where, { ...options, count })
  }

  /**
   * Fails unless there are as many payments, callbacks, requests or messages as wanted. Says what came nearest.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const client = await world.client()
   * await client.listPaybillPayments()
   * await world.verify('request', { operation: 'createSendMoney' }, { exactly: 0 })
   * const error = await world.verify('request', { operation: 'listTillPayments' }).catch((error) => error)
   * assert.match(error.message, /found 0, expected at least 1; the nearest: request.operation is "listPaybillPayments"/)
   * ```
   */
  verify<Of extends Subject>(subject: Of, where: Where<Of>, wanted: Verification = {}): Promise<Verified<Of>> {
    return verify(this.control, subject, where, wanted)
  }

  /**
   * Streams what happens from now on. Ends when the world closes or the loop ends.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * const events = await world.events({ types: ['payment'] })
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
   * await world.clock.advance('1m')
   * for await (const event of events) {
   *   if (event.type === 'payment' && event.to === 'SUCCESS') break
   * }
   * ```
   */
  async events({ types, signal, ...filter }: EventFilter = {}): Promise<AsyncGenerator<WorldEvent, void>> {
    const query = { types: types?.join(), ...filter }
    return eventsOf(must((await this.control.open('GET', '/events', { query, ...(signal && { signal }) })).body))
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
   * await world.clock.settle()
   * await world.reconcile([{ reference: 'may-1', kind: 'send-money', amount: 1000, status: 'SUCCESS' }])
   * await assert.rejects(world.reconcile([]), /paid_unknown: The send-money of KES 1,000.00 .* not in the books/)
   * ```
   */
  async reconcile(books: readonly BooksLine[] | string, options: ReconcileOptions = {}): Promise<Verdict> {
    const { failOn = 'error', ...more } = options
    const verdict = await this.books.compare({ books: typeof books === 'string' ? books : [...books], ...more })
    const counting = failOn === 'warning' ? [...verdict.findings, ...verdict.warnings] : verdict.findings
    if (failOn === 'never' || counting.length === 0) return verdict
    throw new MfanoError({
      code: 'BOOKS_WRONG',
      message: `The books are not right: ${counting.length} ${counting.length === 1 ? 'finding' : 'findings'}.`,
      details: counting.map(({ code, text }) => `${code}: ${text}`).join('\n'),
    })
  }

  /**
   * Describes what happened: the newest payments with their rules, and refused requests. Fixtures print it when a
   * test fails.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
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
   * await prepared.wallet.fund({ amount: 5000 })
   * await using world = await prepared.fork()
   * assert.equal(await world.available(), 1005000)
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
