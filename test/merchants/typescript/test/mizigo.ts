/** A Mizigo and a world of its own for every test, and the clock that both go by. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// In a project of your own these two come from 'mfano/testing' and 'mfano/testing/node'.
import type { TestWorld, WorldOptions } from '../../../../src/apps/testing/index.ts'
import { mfanoTest } from '../../../../src/apps/testing/node.ts'
import { type App, startApp } from '../src/app.ts'
import type { Payment } from '../src/book.ts'
import type { Clock } from '../src/clock.ts'
import type { Settings } from '../src/settings.ts'

const { MFANO_URL, MFANO_SEED = '1' } = process.env
const seed = Number(MFANO_SEED)

/** In the mfano at MFANO_URL; in one that is started here, where there is none. */
const test = mfanoTest(MFANO_URL ? { url: MFANO_URL, seed } : { seed })

/** Stands until the test moves it; and waits for an answer until the test says that it took too long. */
class TestClock implements Clock {
  ms = 0
  #waits: AbortController[] = []

  now(): number {
    return this.ms
  }

  timeout(ms: number): AbortSignal {
    const wait = new AbortController()
    this.#waits.push(wait)
    return AbortSignal.any([wait.signal, AbortSignal.timeout(ms)])
  }

  timeOut(): void {
    for (const wait of this.#waits.splice(0)) wait.abort()
  }
}

/** What a test plays with. */
export class Mizigo {
  app: App
  readonly world: TestWorld
  readonly settings: Settings
  /** Shillings in the wallet that the book does not know of: put in by hand, or taken from a customer twice. */
  beyondTheBook = 0
  readonly clock: TestClock

  constructor(app: App, world: TestWorld, settings: Settings, clock: TestClock) {
    this.app = app
    this.world = world
    this.settings = settings
    this.clock = clock
  }

  /** Asks Mizigo's own interface; fails where that refuses. */
  async ask<Body = Payment>(method: string, path: string, body?: object): Promise<Body> {
    const { status, answer } = await this.tryTo<Body>(method, path, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }

  async tryTo<Body = { error: string }>(method: string, path: string, body?: object, headers = {}) {
    const response = await fetch(this.app.url + path, { method, body: body && JSON.stringify(body), headers })
    return { status: response.status, answer: (await response.json()) as Body }
  }

  /** A rider is to get 1,000 shillings on the phone, unless it is said otherwise; asked for at once. */
  async payOut(payout: object = {}): Promise<Payment> {
    const usual = { name: 'asha-january', way: 'phone', amount: 1000, phoneNumber: '254712345678' }
    const { reference } = await this.ask('POST', '/payouts', { ...usual, ...payout })
    await this.app.work()
    return this.payment(reference)
  }

  /** A customer has something delivered for 350 shillings, and is asked on the phone, unless it is said otherwise. */
  order(order: object = {}): Promise<Payment & { delivery: string }> {
    return this.ask('POST', '/deliveries', { customerPhone: '254722111222', price: 350, payBy: 'stk', ...order })
  }

  payment(reference: string): Promise<Payment> {
    return this.ask('GET', `/payments/${reference}`)
  }

  async dispatched(number: string): Promise<boolean> {
    return (await this.ask<{ dispatchedAt: number | null }>('GET', `/deliveries/${number}`)).dispatchedAt !== null
  }

  tasks(): Promise<string[]> {
    return this.ask('GET', '/tasks')
  }

  /** Time passes in the world, callbacks arrive, and Mizigo looks into them. */
  async pass(time: string): Promise<void> {
    await this.world.clock.advance(time)
    await this.catchUp()
  }

  /** Until nothing in the world is due any more. */
  async settle(): Promise<void> {
    await this.world.clock.settle()
    await this.catchUp()
  }

  /** Mizigo's clock shows what the world's does, and it does what there is to do. */
  async catchUp(): Promise<void> {
    this.clock.ms = Date.parse(`${(await this.world.clock.now()).slice(0, 23)}Z`)
    await this.app.work()
  }

  /** Everything that was not in the book is forgotten. */
  async restart(): Promise<void> {
    await this.app.close()
    this.app = await startApp(this.settings, this.clock)
  }

  /** Somebody puts money into the wallet. */
  async fund(amount: number): Promise<void> {
    await this.world.wallet.fund({ amount })
    this.beyondTheBook += amount
  }

  /** How often the service was asked for payouts and prompts, whatever it answered. */
  async timesAsked(): Promise<number> {
    const { requests } = await this.world.requests.list({ limit: 1000 })
    return requests.filter(({ operation }) => operation?.startsWith('create')).length
  }
}

/** How a test's world and Mizigo are, where they differ from the usual ones. */
export interface MizigoOptions extends WorldOptions {
  /** The world's signatures are checked. */
  signed?: boolean
}

/**
 * A test with a Mizigo in a world of its own. Whatever happens in it, at its end the book and the wallet have to agree.
 */
export function testMizigo(
  name: string,
  { signed, ...world }: MizigoOptions,
  body: (mizigo: Mizigo) => Promise<void>,
): void {
  test(name, { world: { ...world, seed } }, async ({ world, t }) => {
    const folder = mkdtempSync(join(tmpdir(), 'mizigo-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const { apiKey, apiSecret, companyId } = world.credentials
    const settings: Settings = {
      ...{ baseUrl: world.baseUrl, apiKey, apiSecret, companyId, port: 0, database: join(folder, 'mizigo.sqlite') },
      ...{ payTimeoutMs: 30_000, readTimeoutMs: 30_000 },
      ...(signed && { callbackSecret: (await world.callback.secret()).secret }),
    }
    const clock = new TestClock()
    const app = await startApp(settings, clock)
    const mizigo = new Mizigo(app, world, settings, clock)
    t.after(() => mizigo.app.close())
    await mizigo.catchUp()
    const before = await world.available()
    await body(mizigo)
    assert.equal(
      (await world.available()) - before - mizigo.beyondTheBook,
      mizigo.app.book.balance((way) => way === 'stk' || way === 'checkout') / 100,
      'the book and the wallet differ',
    )
  })
}
