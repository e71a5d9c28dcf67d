/** Making, forking and resetting a world, as a test suite does for every test. */
import { type Benchmark, folder, median, percentile, type Row, type Service, startMfano } from './kit.ts'

/** Payments of the world that is forked, all of them still under way. */
const PREPARED = 50
/** Real milliseconds that each may take. */
const BUDGET_MS = 5

interface Deed {
  what: string
  how: string
  /** Does it once, and takes it back where there would be more and more worlds. */
  once(service: Service, round: number): Promise<number>
}

const deeds: Deed[] = [
  {
    what: 'making a world',
    how: 'POST /_mfano/worlds until its answer, each world removed again',
    once: (service, round) => made(service, { id: `made-${round}`, clock: frozen }),
  },
  {
    what: 'forking a world',
    how: `POST /_mfano/worlds {"from": a world with ${PREPARED} payments under way} until its answer, each fork removed again`,
    once: (service, round) => made(service, { id: `fork-${round}`, from: 'prepared' }),
  },
  {
    what: 'forking a snapshot',
    how: `POST /_mfano/worlds {"from": a snapshot of a world with ${PREPARED} payments under way} until its answer, each fork removed again`,
    once: (service, round) => made(service, { id: `fork-${round}`, from: 'prepared/saved' }),
  },
  {
    what: 'resetting a world',
    how: 'POST /_mfano/reset until its answer, a payment made before each',
    once: async (service) => {
      await pay(service, 'used')
      return timed(() => send(service, 'POST', '/w/used/_mfano/reset', undefined, 200))
    },
  },
]
const frozen = { mode: 'frozen', start: '2025-01-24T16:28:00' }

export const world: Benchmark = async (plan) => {
  const rounds = plan.quick ? 100 : 400
  const servers = [
    { where: 'on files', service: await startMfano(folder()) },
    { where: 'in memory', service: await startMfano(':memory:') },
  ]
  for (const { service } of servers) {
    for (const id of ['prepared', 'used']) await send(service, 'POST', '/_mfano/worlds', { id, clock: frozen }, 201)
    for (let i = 0; i < PREPARED; i++) await pay(service, 'prepared')
    await send(service, 'POST', '/w/prepared/_mfano/snapshots', { name: 'saved' }, 201)
  }
  const rows: Row[] = []
  for (const { what, how, once } of deeds) {
    const tookMs = servers.map((): number[] => [])
    for (let round = 0; round <= rounds; round++) {
      for (const [i, { service }] of servers.entries()) tookMs[i]?.push(await once(service, round))
    }
    for (const [i, { where }] of servers.entries()) {
      // The first of a process loads what the others find there.
      const took = tookMs[i]?.slice(1) ?? []
      rows.push({
        what: `${what}, ${where}`,
        ours: `${median(took).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms`,
        baseline: '',
        ratio: `${median(took).toFixed(1)} ms`,
        budget: `under ${BUDGET_MS} ms`,
        met: median(took) < BUDGET_MS,
        how: `${how}; ${rounds} times one after the other on one connection, the first of the process left out.`,
      })
    }
  }
  for (const { service } of servers) await service.stop()
  return rows
}

async function made(service: Service, request: { id: string; from?: string; clock?: object }): Promise<number> {
  const tookMs = await timed(() => send(service, 'POST', '/_mfano/worlds', request, 201))
  await send(service, 'DELETE', `/_mfano/worlds/${request.id}`, undefined, 200)
  return tookMs
}

/** A customer's payment, which needs no token. */
function pay(service: Service, id: string): Promise<void> {
  return send(service, 'POST', `/w/${id}/_mfano/collections/stk`, { phoneNumber: '254712345678', amount: 5 }, 201)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

async function send(service: Service, method: string, path: string, body: object | undefined, status: number) {
  const answer = await fetch(service.url(path), {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (answer.status !== status) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
}
