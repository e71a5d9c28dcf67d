/** Many worlds in one process, and shared out between two: what a request costs, and how many are answered. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Benchmark,
  count,
  folder,
  interleave,
  median,
  type Row,
  ratioOf,
  type Service,
  startMfano,
} from './kit.ts'

const WORLDS = 24
/**
 * Requests that are under way at once, at all processes together: a world has as many callers wherever it is. Not more,
 * because a process takes one new connection in each turn of its event loop.
 */
const CALLERS = 64

/** Cores, as taskset names them. */
const FIRST = '0'
const BOTH = '0,1'

interface Round {
  perSecond: number
  /** Processor time of all servers for each request. */
  cpuUs: number
}

/** What wrk says of a load when it has ended. */
interface Loaded {
  requests: number
  tookUs: number
  /** Answers that were none of 2xx and 3xx, what went wrong with connections, and answers that took over two seconds. */
  errors: Record<'status' | 'connect' | 'read' | 'write' | 'timeout', number>
}

/** Where requests go, and for whom. */
interface Asked {
  path: string
  token: string
}

/** Processes that share nothing, and worlds that are spread over them in turn, as a proxy would. */
class Processes {
  readonly #services: readonly Service[]
  /** What wrk asks each of them for. */
  readonly #scripts: readonly string[]

  private constructor(services: readonly Service[], scripts: readonly string[]) {
    this.#services = services
    this.#scripts = scripts
  }

  static async start(processes: number): Promise<Processes> {
    const services = await Promise.all(Array.from({ length: processes }, () => startMfano(folder())))
    const asked = services.map((): Asked[] => [])
    for (let world = 0; world < WORLDS; world++) {
      const service = services[world % processes] as Service
      const below = (path: string) => service.url(`/w/w${world}${path}`)
      await post(below('/_mfano/worlds'), { clock: { mode: 'frozen' } })
      const { data } = await post(below('/api/v1/get-token'), { apiKey: 'mfano-key', apiSecret: 'mfano-secret' })
      asked[world % processes]?.push({ path: `/w/w${world}/api/sandbox/v1/send-money`, token: data.access_token })
    }
    return new Processes(services, asked.map(scriptFor))
  }

  /** As many requests as they answer in so many seconds on some cores, on which whoever asks them runs too. */
  async load(seconds: number, cores: string): Promise<Round> {
    for (const service of this.#services) service.pin(cores)
    const used = () => this.#services.reduce((sum, service) => sum + (service.cpuMs() ?? Number.NaN), 0)
    const before = used()
    const loads = await Promise.all(
      this.#services.map((service, i) =>
        wrk(service, { script: this.#scripts[i] as string, seconds, cores, of: this.#services.length }),
      ),
    )
    const requests = loads.reduce((sum, load) => sum + load.requests, 0)
    return {
      perSecond: loads.reduce((sum, load) => sum + (load.requests * 1e6) / load.tookUs, 0),
      cpuUs: ((used() - before) * 1000) / requests,
    }
  }

  async stop(): Promise<void> {
    for (const service of this.#services) await service.stop()
  }
}

/** wrk takes some 24 µs of processor time for a request where a server takes 170. */
async function wrk(
  service: Service,
  { script, seconds, cores, of }: { script: string; seconds: number; cores: string; of: number },
): Promise<Loaded> {
  const connections = CALLERS / of
  const flags = ['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`, '--script', script]
  const { stdout } = await promisify(execFile)('taskset', ['--cpu-list', cores, 'wrk', ...flags, service.url()])
  const loaded = JSON.parse(stdout.trim().split('\n').at(-1) as string) as Loaded
  const errors = Object.entries(loaded.errors).filter(([, times]) => times > 0)
  if (errors.length > 0)
    throw new Error(`of ${loaded.requests} requests ${errors.map((one) => one.join(': ')).join(', ')}`)
  return loaded
}

const PAYOUT = {
  phoneNumber: '254711100100',
  amount: 10.5,
  currencyCode: 'KSH',
  remarks: 'Salary for January',
  occasion: 'Salary',
  callbackUrl: 'http://127.0.0.1:9/callback',
}

/** A script for wrk: a payout in one world after the other, and JSON in the end. */
function scriptFor(asked: readonly Asked[]): string {
  const requests = asked.map(
    ({ path, token }) =>
      `wrk.format('POST', '${path}', { ['content-type'] = 'application/json', authorization = 'Bearer ${token}' }, body)`,
  )
  const file = join(folder(), 'asked.lua')
  writeFileSync(
    file,
    `local body = [[${JSON.stringify(PAYOUT)}]]
local requests = {}
local n = 0
function init() requests = { ${requests.join(', ')} } end
function request()
  n = n % #requests + 1
  return requests[n]
end
function done(all)
  local e = all.errors
  io.write(string.format(
    '{"requests":%d,"tookUs":%d,"errors":{"status":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}}\\n',
    all.requests, all.duration, e.status, e.connect, e.read, e.write, e.timeout))
end
`,
  )
  return file
}

// biome-ignore lint/suspicious/noExplicitAny: what a server answers
async function post(url: string, body: object): Promise<any> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

export const processes: Benchmark = async (plan) => {
  if (['wrk', 'taskset'].some((program) => spawnSync(program, ['--version']).error) || cpus().length < 2) {
    console.error(
      'Not measured: two processes against one, for which wrk sends the requests (Debian has it as "wrk") and two cores are needed.',
    )
    return []
  }
  const [rounds, seconds] = plan.quick ? [3, 2] : [5, 3]
  const one = await Processes.start(1)
  const two = await Processes.start(2)
  for (const some of [one, two]) await some.load(2 * seconds, BOTH)
  const onBoth: Round[] = []
  const results = await interleave(
    rounds,
    () => two.load(seconds, BOTH),
    async () => {
      onBoth.push(await one.load(seconds, BOTH))
      return one.load(seconds, FIRST)
    },
  )
  await one.stop()
  await two.stop()
  const of = (side: Round[], what: keyof Round) => side.map((round) => round[what])
  const row = (what: string, baseline: Round[], by: keyof Round, atLeast?: number): Row => {
    const figure = (side: Round[]) => count(median(of(side, by))) + (by === 'perSecond' ? '/s' : ' µs')
    const [ours, other] = [of(results.ours, by), of(baseline, by)]
    const ratio = by === 'perSecond' ? ratioOf(ours, other) : ratioOf(other, ours)
    return {
      what: `\`POST send-money\` to one of ${WORLDS} worlds: ${what}`,
      ours: figure(results.ours),
      baseline: figure(baseline),
      ratio: ratio.toFixed(2),
      budget: atLeast === undefined ? 'for comparison' : `at least ${atLeast}`,
      met: atLeast === undefined || ratio >= atLeast,
      how: `${rounds} interleaved rounds of ${seconds} s, ${CALLERS} requests under way at once in all, without a proxy between; wrk sends them, with a thread for each process, on the same cores.`,
    }
  }
  return [
    // A core more is to bring 0.8 of what the first brings, whoever asks included.
    row(
      'two processes on two cores, against one process on one core, by requests per second',
      results.baseline,
      'perSecond',
      1.8,
    ),
    // What a request costs decides what a core can do: a second process adds the share of the first's that this is.
    row('shared out between two processes, against all in one, by processor time a request', onBoth, 'cpuUs', 0.8),
    // The one leaves a part of the second core to its threads and to wrk, so that less than twice is there to be won.
    row(
      'shared out between two processes on two cores, against all in one on both, by requests per second',
      onBoth,
      'perSecond',
    ),
  ]
}
