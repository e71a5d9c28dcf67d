/** Requests to the real program: against a server that keeps nothing, up to the callback, and what stays in memory. */
import { filled, filledOnce, onCopy } from './filled.ts'
import {
  type Benchmark,
  compared,
  count,
  folder,
  inChild,
  interleave,
  path,
  ratioOf,
  Service,
  startMfano,
} from './kit.ts'
import type { Load } from './load.ts'

/** How often to look whether all callbacks were sent, in milliseconds. */
const LOOK_MS = 500

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
  const service = await Service.start([path('test/bench/bare-server.ts')])
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
  await inChild('load.ts', { url, ...(token !== undefined && { token }), ...load } satisfies Load)
  await until()
  return ((service.cpuMs() - beforeMs) * 1000) / load.requests
}

export const post: Benchmark = async ({ quick }) => {
  const [rounds, requests] = quick ? [3, 8_000] : [15, 8_000]
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
      figures: [{ value, least: 0.5 }],
      how: `against bare Hono and zod with the same schema and answer on the same adapter; 100 connections, ${rounds} rounds`,
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
      figures: [{ value, least: 0.45 }],
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
  const residentMb: number[] = []
  for (const data of [await filled(0), ':memory:']) {
    const service = await startMfano(data)
    // Everybody is rich, and time stands still.
    const world = data === ':memory:' ? await richWorld(service) : ''
    await cpuUs(await target(service, world), { requests })
    residentMb.push(service.residentMb())
    await service.stop()
  }
  const [files = Number.NaN, inMemory = Number.NaN] = residentMb
  return [
    {
      what: `resident after ${requests} payments: on files · in memory`,
      ours: `${Math.round(files)} · ${Math.round(inMemory)} MB`,
      figures: [
        { value: files, unit: ' MB', most: 174 },
        { value: inMemory, unit: ' MB', most: 350 },
      ],
      how: 'the resident size that the system tells, with the flags of `npm start`; 100 connections, a frozen clock',
    },
  ]
}

/** A path of a new world in which every payout can be paid for. */
async function richWorld(service: Service): Promise<string> {
  const scenario = 'name: rich\ndescription: Everybody is rich.\nwallets: { KES: 100000000000 }\n'
  const answer = await fetch(service.url('/_mfano/worlds'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'rich', scenario, clock: { mode: 'frozen' } }),
  })
  if (!answer.ok) throw new Error(`making a world answered ${answer.status}: ${await answer.text()}`)
  return '/w/rich'
}
