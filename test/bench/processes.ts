/** Many worlds in one process, and shared out between two: what a request costs, and how many are answered. */
import { Pool } from 'undici'
import { type Benchmark, count, folder, interleave, median, ratioOf, type Service, startMfano } from './kit.ts'

const WORLDS = 24
/** Requests that are under way at once at each process, so that none is less busy for having a neighbour. */
const CALLERS = 64

interface Round {
  perSecond: number
  /** Processor time of all servers for each request, and of the load generator beside them. */
  cpuUs: number
  loadUs: number
}

/** Processes that share nothing, and worlds that are spread over them in turn, as a proxy would. */
class Processes {
  readonly #services: Service[]
  readonly #pools: Pool[]
  readonly #tokens: string[]

  private constructor(services: Service[], pools: Pool[], tokens: string[]) {
    this.#services = services
    this.#pools = pools
    this.#tokens = tokens
  }

  static async start(processes: number): Promise<Processes> {
    const services = await Promise.all(Array.from({ length: processes }, () => startMfano(folder())))
    const pools = services.map((service) => new Pool(service.url(), { connections: CALLERS }))
    const tokens: string[] = []
    for (let world = 0; world < WORLDS; world++) {
      const pool = pools[world % processes] as Pool
      await post(pool, `/w/w${world}/_mfano/worlds`, { clock: { mode: 'frozen' } })
      const { data } = await post(pool, `/w/w${world}/api/v1/get-token`, {
        apiKey: 'mfano-key',
        apiSecret: 'mfano-secret',
      })
      tokens.push(data.access_token)
    }
    return new Processes(services, pools, tokens)
  }

  /** So many requests to each process. */
  async load(each: number): Promise<Round> {
    const requests = each * this.#services.length
    const used = () => this.#services.reduce((sum, service) => sum + (service.cpuMs() ?? Number.NaN), 0)
    const [before, own, begunMs] = [used(), process.cpuUsage(), performance.now()]
    let n = 0
    const call = async () => {
      while (n < requests) {
        const world = n++ % WORLDS
        const pool = this.#pools[world % this.#pools.length] as Pool
        await post(pool, `/w/w${world}/api/sandbox/v1/send-money`, PAYOUT, this.#tokens[world])
      }
    }
    await Promise.all(Array.from({ length: CALLERS * this.#services.length }, call))
    const tookS = (performance.now() - begunMs) / 1000
    const { user, system } = process.cpuUsage(own)
    return {
      perSecond: requests / tookS,
      cpuUs: ((used() - before) * 1000) / requests,
      loadUs: (user + system) / requests,
    }
  }

  async stop(): Promise<void> {
    for (const pool of this.#pools) await pool.destroy()
    for (const service of this.#services) await service.stop()
  }
}

const PAYOUT = {
  phoneNumber: '254711100100',
  amount: 10.5,
  currencyCode: 'KSH',
  remarks: 'Salary for January',
  occasion: 'Salary',
  callbackUrl: 'http://127.0.0.1:9/callback',
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers
async function post(pool: Pool, path: string, body: object, token?: string): Promise<any> {
  const { statusCode, body: answer } = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text}`)
  return JSON.parse(text)
}

export const processes: Benchmark = async (plan) => {
  const [rounds, requests] = plan.quick ? [3, 4_000] : [5, 8_000]
  const one = await Processes.start(1)
  const two = await Processes.start(2)
  for (const some of [one, two]) await some.load(requests)
  const results = await interleave(
    rounds,
    () => two.load(requests),
    () => one.load(requests),
  )
  await one.stop()
  await two.stop()
  const of = (side: Round[], what: keyof Round) => side.map((round) => round[what])
  const middle = (side: Round[], what: keyof Round) => median(of(side, what))
  // What a request costs decides what a core can do: a second process adds the share of the first's that this is.
  const ratio = ratioOf(of(results.baseline, 'cpuUs'), of(results.ours, 'cpuUs'))
  const faster = ratioOf(of(results.ours, 'perSecond'), of(results.baseline, 'perSecond'))
  return [
    {
      what: `processor time for a \`POST send-money\` to one of ${WORLDS} worlds: all in one process, against two processes`,
      ours: `${count(middle(results.ours, 'cpuUs'))} µs, ${count(middle(results.ours, 'perSecond'))}/s`,
      baseline: `${count(middle(results.baseline, 'cpuUs'))} µs, ${count(middle(results.baseline, 'perSecond'))}/s`,
      ratio: ratio.toFixed(2),
      budget: 'at least 0.8',
      met: ratio >= 0.8,
      how: `${rounds} interleaved rounds of ${count(requests)} requests for each process, ${CALLERS} of them under way at once, without a proxy between; the load generator took ${count(middle(results.ours, 'loadUs'))} µs of processor time for each beside them, so that on two cores two processes answered ${faster.toFixed(2)} times as many a second.`,
    },
  ]
}
