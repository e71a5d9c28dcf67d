/** Requests to the real program: against a server that keeps nothing, up to the callback, and what stays in memory. */
import { filled, filledOnce, onCopy } from './filled.ts'
import {
  type Benchmark,
  compared,
  count,
  folder,
  inChild,
  interleave,
  median,
  ownScript,
  ratioOf,
  Service,
  startMfano,
} from './kit.ts'
import type { Load, Loaded } from './load.ts'

/** How often to look whether all callbacks were sent, in milliseconds. */
const LOOK_MS = 500

/** A server that has nothing to do collects what its start left, in milliseconds. */
const IDLE_MS = 10_000

/** A server that has just begun compiles what it runs: only behind so many requests each one costs the same. */
const WARM_UP = 60_000

/** A server that can be asked for payouts. */
interface Target {
  service: Service
  url: string
  token?: string
}

/** Of a world; its default one when left out. */
async function target(service: Service, world = ''): Promise<Target> {
  const answer = await fetch(service.url(`${world}/api/v1/get-token`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
  })
  const { data } = (await answer.json()) as { data: { access_token: string } }
  return { service, url: service.url(`${world}/api/sandbox/v1/send-money`), token: data.access_token }
}

async function bareTarget(): Promise<Target> {
  const service = await Service.start([ownScript('bare-server.ts')])
  return { service, url: service.url('/api/sandbox/v1/send-money') }
}

async function warmUp(target: Target): Promise<void> {
  await cpuUs(target, { requests: WARM_UP })
}

/** Processor time of the server for each request, in microseconds, up to when `until` ends. */
async function cpuUs(
  { service, url, token }: Target,
  load: Pick<Load, 'requests' | 'callbackUrl'>,
  until = async () => {},
): Promise<number> {
  const beforeMs = service.cpuMs()
  await inChild(ownScript('load.ts'), { url, ...(token !== undefined && { token }), ...load } satisfies Load)
  await until()
  return ((service.cpuMs() - beforeMs) * 1000) / load.requests
}

export const post: Benchmark = async ({ quick }) => {
  const [rounds, requests] = quick ? [3, 8_000] : [9, 8_000]
  const ours = await target(await startMfano(await filled(0)))
  const bare = await bareTarget()
  for (const side of [ours, bare]) await warmUp(side)
  const took = await interleave(
    rounds,
    () => cpuUs(ours, { requests }),
    () => cpuUs(bare, { requests: requests * 2 }),
  )
  for (const { service } of [ours, bare]) await service.stop()
  const { value, ...both } = compared(took, 'µs', ratioOf(took.baseline, took.ours))
  return [
    {
      what: 'a durable `POST send-money`, by processor time',
      ...both,
      figures: [{ value, least: 0.45 }],
      how: `against bare Hono and zod with the same schema and answer on the same adapter; 100 connections, ${rounds} rounds`,
    },
  ]
}

export const caller: Benchmark = async ({ quick }) => {
  const [rounds, requests] = quick ? [3, 500] : [7, 1_000]
  const ours = await target(await startMfano(await filled(0)))
  const bare = await bareTarget()
  for (const side of [ours, bare]) await middleMs(side, requests * 2)
  const took = await interleave(
    rounds,
    () => middleMs(ours, requests),
    () => middleMs(bare, requests),
  )
  for (const { service } of [ours, bare]) await service.stop()
  const { value, ...both } = compared(took, 'ms', ratioOf(took.ours, took.baseline))
  return [
    {
      what: 'a `POST send-money` of one caller on files, until the answer',
      ...both,
      figures: [{ value, unit: '×', most: 3 }],
      how: `median of ${count(requests)} requests one after the other, against bare Hono and zod; ${rounds} rounds`,
    },
  ]
}

/** Milliseconds until the answer, one request after the other. */
async function middleMs({ url, token }: Target, requests: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const payout = { phoneNumber: '254711100100', amount: 10.5, currencyCode: 'KSH', remarks: 'Salary', occasion: 'June' }
  const tookMs: number[] = []
  for (let i = 0; i < requests; i++) {
    const body = JSON.stringify({ ...payout, callbackUrl: 'http://127.0.0.1:9/callback', referenceId: `one-${i}` })
    const startedMs = performance.now()
    const answer = await fetch(url, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    tookMs.push(performance.now() - startedMs)
    if (answer.status !== 201) throw new Error(`a payout was answered ${answer.status}`)
  }
  return median(tookMs)
}

/** Payments fall due two seconds after they were asked for, so that some do all the time. */
export const waiting: Benchmark = async ({ quick }) => {
  const [requests, alone] = quick ? [8_000, 500] : [24_000, 2_000]
  const service = await startMfano(folder())
  const ours = await target(service, await richWorld(service, 'realtime'))
  const callbackUrl = 'http://127.0.0.1:9/callback'
  await cpuUs(ours, { requests, callbackUrl })
  const load: Load = { url: ours.url, requests, connections: 32, callbackUrl }
  const { p99Ms } = await inChild<Loaded>(ownScript('load.ts'), { ...load, token: ours.token })
  const oneMs = await middleMs(ours, alone)
  await service.stop()
  return [
    {
      what: 'while payments fall due, with callbacks to where nobody listens: one caller, median · 32 callers, p99',
      ours: `${oneMs.toFixed(1)} · ${p99Ms} ms`,
      figures: [
        { value: oneMs, unit: ' ms', most: 5 },
        { value: p99Ms, unit: ' ms', most: 80 },
      ],
      how: `in real time, ${count(requests)} payouts by 32 connections behind as many by 100, then one caller behind them`,
    },
  ]
}

/** What a request costs more in a large world. */
export const crowded: Benchmark = async ({ quick }) => {
  const [rounds, requests, payments] = quick ? [3, 8_000, 100_000] : [15, 8_000, 1_000_000]
  const plain = await target(await startMfano(await filled(0)))
  return onCopy(await filledOnce(payments), async (copy) => {
    const full = await target(await startMfano(copy))
    for (const side of [plain, full]) await warmUp(side)
    const took = await interleave(
      rounds,
      () => cpuUs(full, { requests }),
      () => cpuUs(plain, { requests }),
    )
    for (const { service } of [full, plain]) await service.stop()
    const { value, ...both } = compared(took, 'µs', ratioOf(took.baseline, took.ours))
    return [
      {
        what: `\`POST send-money\` with ${count(payments)} payments there`,
        ...both,
        figures: [{ value, least: 0.97 }],
        how: `processor time, against the same server without; ${rounds} rounds of ${count(requests)} requests`,
      },
    ]
  })
}

export const lifecycle: Benchmark = async ({ quick }) => {
  const [rounds, requests] = quick ? [3, 4_000] : [4, 15_000]
  const ours = await target(await startMfano(folder()))
  const bare = await bareTarget()
  const callbackUrl = ours.service.url('/_mfano/inbox/bench')
  let sent = 0
  const lived = () => {
    sent += requests
    return cpuUs(ours, { requests, callbackUrl }, async () => {
      while ((await acceptedBy(ours.service)) < sent) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    })
  }
  const asked = () => cpuUs(bare, { requests: requests * 2 })
  for (const once of [lived, asked]) await once()
  const took = await interleave(rounds, lived, asked)
  for (const { service } of [ours, bare]) await service.stop()
  const { value, ...both } = compared(took, 'µs', ratioOf(took.baseline, took.ours))
  return [
    {
      what: "a payment's whole life with its callback to an inbox, by processor time",
      ...both,
      figures: [{ value, least: 0.28 }],
      how: `the server's, inbox included, for each of ${requests} payments until all were sent, against a request to bare Hono and zod; ${rounds} rounds`,
    },
  ]
}

/** Callbacks that receivers accepted since the server began. */
async function acceptedBy(service: Service): Promise<number> {
  const text = await (await fetch(service.url('/_mfano/metrics'))).text()
  return Number(/^mfano_callback_attempts_total\{result="accepted"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

export const memory: Benchmark = async ({ quick }) => {
  const requests = quick ? 40_000 : 200_000
  const idle = await startMfano(folder())
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const residentMb = [idle.residentMb()]
  await idle.stop()
  for (const data of [await filled(0), ':memory:']) {
    const service = await startMfano(data)
    // Everybody is rich, and time stands still.
    const world = data === ':memory:' ? await richWorld(service, 'frozen') : ''
    await cpuUs(await target(service, world), { requests })
    residentMb.push(service.residentMb())
    await service.stop()
  }
  const [start = Number.NaN, files = Number.NaN, inMemory = Number.NaN] = residentMb
  return [
    {
      what: `resident: idle · after ${requests} payments on files · in memory`,
      ours: `${Math.round(start)} · ${Math.round(files)} · ${Math.round(inMemory)} MB`,
      figures: [
        { value: start, unit: ' MB', most: 85 },
        { value: files, unit: ' MB', most: 180 },
      ],
      how: 'the resident size that the system tells, of a clone with the flags of `npm start`; 100 connections, a frozen clock',
    },
  ]
}

/** A path of a new world in which every payout can be paid for. */
async function richWorld(service: Service, mode: 'frozen' | 'realtime'): Promise<string> {
  const scenario = 'name: rich\ndescription: Everybody is rich.\nwallets: { KES: 100000000000 }\n'
  const answer = await fetch(service.url('/_mfano/worlds'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'rich', scenario, clock: { mode } }),
  })
  if (!answer.ok) throw new Error(`making a world answered ${answer.status}: ${await answer.text()}`)
  return '/w/rich'
}
