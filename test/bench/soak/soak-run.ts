/** Mixed traffic for as long as wanted, beside forks, resets, slow receivers and kills, and what must be true of it all. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import type { Chance } from '../../../src/core/model/chance.ts'
import { DEFAULT_ORGANISATION } from '../../../src/core/model/payment.ts'
import { type Service, startMfano } from '../kit.ts'

export interface SoakPlan {
  /** Requests in all. */
  requests: number
  /** Lives of the server: it is killed between them, not told to stop. The last one has two thirds of all. */
  lives: number
  data: string
  chance: Chance
}

export interface Soaked {
  requests: number
  payments: number
  callbacks: number
  /** Of these, answered late. */
  slow: number
  forks: number
  resets: number
  kills: number
  /** Requests that a kill or a reset cut off. */
  cutOff: number
  /**
   * Requests without an answer, and answers that nobody asked for: from 500 on, where a reset answers 503 to what was under
   * way in its world; and from 400 on, but for a token whose time is over.
   */
  unasked: string[]
  /** Payments that were acknowledged and are not there after a kill. */
  lost: string[]
  /** What the ledgers say that is wrong with them. */
  imbalances: string[]
  /** Callbacks that are neither received nor given up when nothing is due any more. */
  unsettled: number
}

interface SoakedWorld {
  id: string
  /** Counts resets: what was acknowledged before one is gone with it. */
  epoch: number
  resetting: boolean
  acknowledged: string[]
  /** Payments until it is emptied. */
  left: number
  token: string | undefined
}

const CALLERS = 8
/** Worlds; the last two are reset in turn and often, the others when they have grown. */
const WORLDS = 5
/**
 * Payments that a world grows to: some 20 MB. Without a bound copies of it would take ever longer, and of whatever rises
 * nobody could say whether the server or its worlds had grown.
 */
const GROWN = 5_000
const FORK_EVERY = 150
const RESET_EVERY = 400
/** Requests that one token is used for. */
const LOGIN_EVERY = 400
/** Acknowledged payments of a world that are looked for after a kill: the newest, which a kill endangers. */
const LOOKED_FOR = 200

const scenario = `${import.meta.dirname}/../../hosts/crash/mixed.yaml`

export async function soak(plan: SoakPlan): Promise<Soaked> {
  const endpoint = await openEndpoint()
  const run = new Run(plan, endpoint)
  try {
    return await run.toEnd()
  } finally {
    await run.end()
  }
}

class Run {
  readonly #plan: SoakPlan
  readonly #endpoint: Endpoint
  readonly #worlds: SoakedWorld[] = Array.from({ length: WORLDS }, (_, i) => ({
    id: i === 0 ? 'default' : `soak-${i}`,
    epoch: 0,
    resetting: false,
    acknowledged: [],
    // Not all at once.
    left: Math.round((GROWN * (i + 1)) / WORLDS),
    token: undefined,
  }))
  readonly #soaked: Soaked = {
    requests: 0,
    payments: 0,
    callbacks: 0,
    slow: 0,
    forks: 0,
    resets: 0,
    kills: 0,
    cutOff: 0,
    unasked: [],
    lost: [],
    imbalances: [],
    unsettled: 0,
  }
  #server!: Service
  #dying = false

  constructor(plan: SoakPlan, endpoint: Endpoint) {
    this.#plan = plan
    this.#endpoint = endpoint
  }

  async toEnd(): Promise<Soaked> {
    const { lives, requests } = this.#plan
    await this.#start()
    for (const world of this.#worlds.slice(1)) await this.#must(world, post('/_mfano/worlds', { id: world.id }))
    for (let life = 0; life < lives; life++) {
      if (life > 0) await this.#start()
      if (life > 0) await this.#nothingLost()
      // The last life is long, because what rises slowly shows late, and ends in peace, so that all it owes can be paid.
      const isLast = life === lives - 1
      const until = isLast ? requests : Math.round((requests * (life + 1)) / (lives - 1) / 3)
      await this.#traffic(until, !isLast)
    }
    await this.#settle()
    this.#soaked.callbacks = this.#endpoint.received
    this.#soaked.slow = this.#endpoint.slow
    return this.#soaked
  }

  async end(): Promise<void> {
    this.#endpoint.release()
    await this.#server.stop()
    await this.#endpoint.close()
  }

  async #start(): Promise<void> {
    this.#server = await startMfano(this.#plan.data, { flags: ['--scenario', scenario] })
    this.#dying = false
  }

  /** Callers at work until so many requests have been made; the server is killed in their midst. */
  async #traffic(until: number, killed: boolean): Promise<void> {
    const callers = Array.from({ length: CALLERS }, (_, i) => this.#call(i, until))
    await Promise.race(callers)
    if (!killed) return void (await Promise.all(callers))
    this.#dying = true
    await this.#server.kill()
    this.#soaked.kills++
    await Promise.all(callers)
    for (const world of this.#worlds) world.token = undefined
  }

  async #call(caller: number, until: number): Promise<void> {
    while (this.#soaked.requests < until) {
      const n = this.#soaked.requests++
      if (this.#dying) return
      if (n % FORK_EVERY === FORK_EVERY - 1) await this.#fork(n)
      if (n % RESET_EVERY === RESET_EVERY - 1)
        await this.#reset(this.#worlds[WORLDS - 1 - (Math.floor(n / RESET_EVERY) % 2)] as SoakedWorld)
      await this.#ask(this.#worlds[(n + caller) % WORLDS] as SoakedWorld, n)
    }
  }

  /** One request of the mixture: payouts, a collection, a read of what was paid, a list, a balance. */
  async #ask(world: SoakedWorld, n: number): Promise<void> {
    if (world.resetting) return
    if (world.token === undefined || n % LOGIN_EVERY < WORLDS) await this.#login(world)
    const { token, epoch } = world
    if (token === undefined) return
    const asked = this.#mixed(world, n)
    const answer = await this.#tried(world, epoch, { ...asked, path: `${below(world)}${asked.path}`, token })
    // Its five minutes are over.
    if (answer?.status === 401) world.token = undefined
    const uuid = answer?.body?.data?.requestId
    if (answer?.status !== 201 || typeof uuid !== 'string' || world.epoch !== epoch) return
    this.#soaked.payments++
    world.acknowledged.push(uuid)
    if (world.acknowledged.length > LOOKED_FOR * 2) world.acknowledged.splice(0, LOOKED_FOR)
    if (--world.left <= 0) await this.#reset(world)
  }

  #mixed(world: SoakedWorld, n: number): Asked {
    const { acknowledged } = world
    const grows = this.#worlds.indexOf(world) < WORLDS - 2
    const callbackUrl = this.#endpoint.url
    const words = { remarks: 'Stock', occasion: 'January', callbackUrl }
    const api = '/api/sandbox/v1'
    const last = acknowledged.at(-1)
    switch (this.#plan.chance.of('request', n).below(10)) {
      case 0:
        return post(`${api}/till`, { businessNumber: '400200', amount: 10, ...words })
      case 1:
        return post(`${api}/paybill`, { businessNumber: '400200', accountNumber: '1', amount: 10, ...words })
      case 2:
        return post(`${api}/stk/new`, {
          phoneNumber: '254712345678',
          amount: 10,
          description: 'Rent',
          accountReference: 'A1',
          callbackUrl,
        })
      case 3:
        return get(last === undefined ? '/_mfano/clock' : `/_mfano/payments/${last}`)
      case 4:
        // The service lists all that there is: of worlds that grow that would tell of their size, and of nothing else.
        return grows
          ? get('/_mfano/payments?limit=50')
          : get(`${api}/send-money/all?companyId=${DEFAULT_ORGANISATION.uuid}`)
      case 5:
        return get('/_mfano/wallets')
      default:
        return post(`${api}/send-money`, { phoneNumber: '254712345678', amount: 10, ...words })
    }
  }

  async #login(world: SoakedWorld): Promise<void> {
    const credentials = { apiKey: 'mfano-key', apiSecret: 'mfano-secret' }
    const answer = await this.#tried(world, world.epoch, post(`${below(world)}/api/v1/get-token`, credentials))
    world.token = answer?.body?.data?.access_token
  }

  /** A copy of a world that is under load, used and thrown away. */
  async #fork(n: number): Promise<void> {
    const from = this.#worlds[Math.floor(n / FORK_EVERY) % (WORLDS - 2)] as SoakedWorld
    if (from.resetting) return
    const id = `fork-${n}`
    const made = await this.#tried(from, from.epoch, post('/_mfano/worlds', { id, from: from.id }))
    if (made?.status !== 201) return
    this.#soaked.forks++
    await this.#balanced({ ...from, id })
    await this.#tried(from, from.epoch, { method: 'DELETE', path: `/_mfano/worlds/${id}` })
  }

  async #reset(world: SoakedWorld): Promise<void> {
    if (world.resetting) return
    world.resetting = true
    world.epoch++
    const done = await this.#tried(world, world.epoch, post(`${below(world)}/_mfano/reset`, {}))
    world.epoch++
    world.acknowledged.length = 0
    world.left = GROWN
    world.token = undefined
    world.resetting = false
    if (done?.status === 200) this.#soaked.resets++
  }

  /** An answer; undefined where there was none, as where a kill came between. `epoch`: of the world when it was asked. */
  async #tried(world: SoakedWorld, epoch: number, asked: Asked): Promise<Answer | undefined> {
    try {
      const answer = await send(this.#server.url(asked.path), asked)
      const { status } = answer
      // What was under way in a world that is reset is turned away, and its tokens and payments go with it.
      const wasReset = world.epoch !== epoch && (status === 503 || status < 500)
      if (status >= 400 && status !== 401 && !wasReset)
        this.#soaked.unasked.push(`${asked.method} ${asked.path}: ${status} ${JSON.stringify(answer.body)}`)
      return answer
    } catch (error) {
      // A kill ends all connections, and a reset those on which a list of its world is being sent.
      if (this.#dying || world.epoch !== epoch) this.#soaked.cutOff++
      else this.#soaked.unasked.push(`${asked.method} ${asked.path}: ${(error as Error).message}`)
      return undefined
    }
  }

  async #must(world: SoakedWorld, asked: Asked): Promise<Answer> {
    const answer = await this.#tried(world, world.epoch, asked)
    if (!answer || answer.status >= 300)
      throw new Error(`${asked.path}: ${answer?.status ?? this.#soaked.unasked.at(-1)}`)
    return answer
  }

  /** After a kill: what was acknowledged is there, and every ledger is balanced. */
  async #nothingLost(): Promise<void> {
    for (const world of this.#worlds) {
      for (const uuid of world.acknowledged.slice(-LOOKED_FOR)) {
        const found = await this.#tried(world, world.epoch, get(`${below(world)}/_mfano/payments/${uuid}`))
        if (found?.status !== 200) this.#soaked.lost.push(`${world.id}/${uuid}`)
      }
      await this.#balanced(world)
    }
  }

  async #balanced(world: SoakedWorld): Promise<void> {
    const answer = await this.#tried(world, world.epoch, get(`${below(world)}/_mfano/ledger?limit=1`))
    for (const one of answer?.body?.imbalances ?? [])
      this.#soaked.imbalances.push(`${world.id}: ${JSON.stringify(one)}`)
  }

  /** Nothing is held back any more: all that is due happens, and is told. */
  async #settle(): Promise<void> {
    this.#endpoint.release()
    for (const world of this.#worlds) {
      await this.#must(world, post(`${below(world)}/_mfano/clock/settle`, { within: '1h' }))
      const { body } = await this.#must(world, get(`${below(world)}/_mfano/statistics`))
      this.#soaked.unsettled += body.callbacks.pending + body.callbacks.held
      await this.#balanced(world)
    }
  }
}

function below({ id }: SoakedWorld): string {
  return id === 'default' ? '' : `/w/${id}`
}

// A merchant's endpoint that is slow now and then: it answers when enough others have come, not after a time.

interface Endpoint {
  url: string
  readonly received: number
  /** Of these, how many had to wait for their answer. */
  readonly slow: number
  /** Answers what is held back, and holds nothing back any more. */
  release(): void
  close(): Promise<void>
}

/** One callback of so many waits for its answer until as many others have come. */
const SLOW_ONE_OF = 25

async function openEndpoint(): Promise<Endpoint> {
  let received = 0
  let slow = 0
  let released = false
  const held: ServerResponse[] = []
  const answer = (response: ServerResponse) => response.end('noted')
  const server = createServer((incoming, response) => {
    incoming.resume()
    incoming.on('end', () => {
      const isSlow = ++received % SLOW_ONE_OF === 0
      if (isSlow) for (const one of held.splice(0)) answer(one)
      if (!isSlow || released) return void answer(response)
      slow++
      held.push(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/told`,
    get received() {
      return received
    },
    get slow() {
      return slow
    },
    release: () => {
      released = true
      for (const one of held.splice(0)) answer(one)
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// Requests over kept connections, with answers as JSON.

interface Asked {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: object
  token?: string
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for its caller to judge
type Answer = { status: number; body: any }

const get = (path: string): Asked => ({ method: 'GET', path })
const post = (path: string, body: object): Asked => ({ method: 'POST', path, body })

// Idle connections are given up long before the server does it. One that the server closed while this process waited for
// the processor is taken up in vain: "other side closed" or ECONNRESET, which is no fault of the server.
const dispatcher = new Agent({ connections: 32, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 })

/** Asks; rejects where no answer comes. */
async function send(url: string, { method, body, token }: Asked): Promise<Answer> {
  const answer = await request(url, {
    dispatcher,
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  return { status: answer.statusCode, body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text }
}
