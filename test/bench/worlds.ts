/** What a test suite does for every test: makes, forks and resets worlds, and uses one. */
import { connectMfano, type TestWorld } from '../../src/apps/testing/index.ts'
import { type AnyControl, controlOf } from '../../src/client/control.ts'
import { type Benchmark, count, folder, median, percentile, type Service, startMfano } from './kit.ts'

/** Payments under way in the world that is forked. */
const PREPARED = 50
/** As many as test runners run at once. */
const AT_ONCE = 8
const FROZEN = { mode: 'frozen', start: '2025-01-24T16:28:00' }

/** What is timed, and what comes before or behind it. */
interface Deed {
  before?(service: Service): Promise<void>
  once(service: Service, id: string): Promise<void>
  made?: boolean
}
const deeds: Record<string, Deed> = {
  made: { once: (service, id) => send(service, 'POST', '/_mfano/worlds', { id, clock: FROZEN }), made: true },
  forked: { once: (service, id) => send(service, 'POST', '/_mfano/worlds', { id, from: 'prepared' }), made: true },
  'forked from a snapshot': {
    once: (service, id) => send(service, 'POST', '/_mfano/worlds', { id, from: 'prepared/saved' }),
    made: true,
  },
  reset: {
    before: (service) => pay(service, 'used'),
    once: (service) => send(service, 'POST', '/w/used/_mfano/reset', undefined),
  },
}

export const worlds: Benchmark = async ({ quick }) => {
  const rounds = quick ? 100 : 300
  const service = await startMfano(folder())
  for (const id of ['prepared', 'used']) await send(service, 'POST', '/_mfano/worlds', { id, clock: FROZEN })
  for (let i = 0; i < PREPARED; i++) await pay(service, 'prepared')
  await send(service, 'POST', '/w/prepared/_mfano/snapshots', { name: 'saved' })
  const tookMs = new Map(Object.keys(deeds).map((name): [string, number[]] => [name, []]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, { before, once, made }] of Object.entries(deeds)) {
      const id = `w-${round}`
      await before?.(service)
      const startedMs = performance.now()
      await once(service, id)
      // The first of a process loads what the others find there.
      if (round > 0) tookMs.get(name)?.push(performance.now() - startedMs)
      if (made) await send(service, 'DELETE', `/_mfano/worlds/${id}`, undefined)
    }
  await service.stop()
  const each = [...tookMs].map(([name, took]) => ({ name, middle: median(took), p99: percentile(took, 0.99) }))
  return [
    {
      what: 'a world made, forked, reset on files: median · p99',
      ours: each.map(({ name, middle, p99 }) => `${name} ${middle.toFixed(1)} · ${p99.toFixed(1)} ms`).join(', '),
      figures: [
        { value: Math.max(...each.map(({ middle }) => middle)), unit: ' ms', most: 3.5 },
        { value: Math.max(...each.map(({ p99 }) => p99)), unit: ' ms', most: 10 },
      ],
      how: `until the answer, ${rounds} times in turns on one connection, of a world with ${PREPARED} payments under way; the figures are the slowest of the four`,
    },
  ]
}

export const tests: Benchmark = async ({ quick }) => {
  const [rounds, many] = quick ? [2, 60] : [4, 150]
  const service = await startMfano(':memory:')
  const mfano = await connectMfano({ url: service.url() })
  const perTest: number[] = []
  for (let round = 0; round <= rounds; round++) {
    let left = round === 0 ? AT_ONCE * 4 : many
    const startedMs = performance.now()
    const runner = async () => {
      while (left-- > 0) {
        await using world = await mfano.world()
        await oneTest(world)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, runner))
    if (round > 0) perTest.push((performance.now() - startedMs) / many)
  }
  await service.stop()
  return [
    {
      what: 'a test with a world of its own',
      ours: `${count(1000 / median(perTest))} tests/s`,
      figures: [{ value: median(perTest), unit: ' ms', most: 6 }],
      how: `\`mfano/testing\` against a server in memory: world, login, payout, ten seconds, callback, wallet; ${many} tests, ${AT_ONCE} at once, ${rounds} rounds`,
    },
  ]
}

async function oneTest(world: TestWorld): Promise<void> {
  const client = await world.client()
  const salary = { phoneNumber: '254712345678', amount: 1000, remarks: 'Salary', occasion: 'January' }
  const { data } = await client.createSendMoney({ ...salary, callbackUrl: world.inbox('payroll').url })
  await world.clock.advance('10s')
  await world.waitFor('callback', { payment: data.requestId, state: 'delivered', body: { status: 'SUCCESS' } })
  const available = await world.available()
  if (available !== 999_000) throw new Error(`the wallet holds ${available}`)
}

/** A customer's payment, which needs no token. */
export function pay(service: Service, id: string): Promise<void> {
  return send(service, 'POST', `/w/${id}/_mfano/collections/stk`, { phoneNumber: '254712345678', amount: 5 })
}

/** By mfano's own client, which is what a suite waits for. `path`: with `/_mfano`. */
export async function send(service: Service, method: string, path: string, body: object | undefined): Promise<void> {
  const [world = '', below = ''] = path.split('/_mfano')
  const control: AnyControl = controlOf(service.url(world))
  await control(method, below, { body })
}
