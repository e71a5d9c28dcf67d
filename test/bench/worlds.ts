/** A thousand worlds on one server: the memory that they take, and the start on a directory that has them. */
import {
  type Benchmark,
  count,
  folder,
  interleave,
  median,
  path,
  type Row,
  ratioOf,
  type Service,
  startMfano,
} from './kit.ts'
import { firstAnswer } from './start.ts'

export const worlds: Benchmark = async (plan) => {
  const many = plan.quick ? 300 : 1000
  return [
    await memory(many, 'on files', folder, 1),
    await memory(many, 'in memory', () => ':memory:', 1),
    await start(many, plan.quick ? 5 : 10),
  ]
}

async function memory(many: number, where: string, data: () => string, rounds: number): Promise<Row> {
  const megabytes = async (...flags: string[]) => {
    const service = await startMfano(data(), ...flags)
    await fill(service, many)
    const resident = service.residentMb()
    await service.stop()
    return resident
  }
  const allOpen = ['--open-worlds', String(many + 1)]
  const results = await interleave(rounds, megabytes, () => megabytes(...allOpen))
  return {
    what: `memory of ${count(many)} worlds ${where}, against all of them open`,
    ours: `${median(results.ours).toFixed(0)} MB`,
    baseline: `${median(results.baseline).toFixed(0)} MB`,
    ratio: ratioOf(results.ours, results.baseline).toFixed(2),
    budget: 'for comparison',
    met: true,
    how: `The resident size of a server on which ${count(many)} worlds were made and each was paid in once, a payment that is still under way; with the setting MFANO_OPEN_WORLDS as it is by default, and with room for all; the median of ${rounds} interleaved rounds.`,
  }
}

async function start(many: number, rounds: number): Promise<Row> {
  const directories = [folder(), folder()] as const
  for (const [i, worlds] of [many, 0].entries()) {
    const service = await startMfano(directories[i] as string)
    await fill(service, worlds)
    await service.stop()
  }
  const starting = (data: string) => () =>
    firstAnswer([path('src/apps/cli.ts'), '--port', '0', '--data', data, '--log', 'off'], false)
  const results = await interleave(rounds, starting(directories[0]), starting(directories[1]))
  return {
    what: `process start to the first 200 with ${count(many)} worlds, against the default one alone`,
    ours: `${median(results.ours).toFixed(0)} ms`,
    baseline: `${median(results.baseline).toFixed(0)} ms`,
    ratio: ratioOf(results.ours, results.baseline).toFixed(2),
    budget: 'for comparison',
    met: true,
    how: `From spawn until GET /_mfano/health answered 200, on a data directory with ${count(many)} worlds more and on one without; ${rounds} interleaved starts.`,
  }
}

/** So many worlds, in each of which a customer has paid in and the payment is under way. */
async function fill(service: Service, many: number): Promise<void> {
  for (let i = 0; i < many; i++) {
    await post(service, '/_mfano/worlds', { id: `w-${i}`, clock: { mode: 'frozen', start: '2025-01-24T16:28:00' } })
    await post(service, `/w/w-${i}/_mfano/collections/stk`, { phoneNumber: '254712345678', amount: 5 })
  }
}

async function post(service: Service, path: string, body: object): Promise<void> {
  const answer = await fetch(service.url(path), { method: 'POST', body: JSON.stringify(body) })
  const text = await answer.text()
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${text}`)
}
