/** How long somebody else waits while a world of 400,000 payments is asked about, forked, saved, exported or imported. */
import { execFile } from 'node:child_process'
import { setTimeout as pass } from 'node:timers/promises'
import { promisify } from 'node:util'
import { filledOnce, onCopy } from './filled.ts'
import { type Benchmark, count, folder, type Row, startMfano } from './kit.ts'
import { pay, send } from './worlds.ts'

const curl = promisify(execFile)
const ROUNDS = 3

/** By name: what `curl` is told of a world, in a folder of its own. The last word is a path. */
type Asked = Record<string, (world: string, round: number) => string[]>

const QUESTIONS: Asked = {
  statistics: (world) => [`/w/${world}/_mfano/statistics`],
  ledger: (world) => [`/w/${world}/_mfano/ledger`],
  list: (world) => [`/w/${world}/_mfano/payments?limit=100`],
  coverage: (world) => [`/w/${world}/_mfano/coverage`],
  report: (world) => [`/w/${world}/_mfano/report`],
}
const json = (body: object) => ['--json', JSON.stringify(body)]
const IMAGES: Asked = {
  fork: (world, round) => [...json({ id: `fork-${world}-${round}`, from: world }), '/_mfano/worlds'],
  save: (world, round) => [...json({ name: `saved-${round}` }), `/w/${world}/_mfano/snapshots`],
  export: (world) => [`/_mfano/worlds/${world}/file`],
  import: (world, round) => ['--upload-file', `export-${world}`, `/_mfano/worlds/import-${world}-${round}/file`],
}

export const questions: Benchmark = (plan) => holds(plan.quick, 'asked about', QUESTIONS, 20)

export const images: Benchmark = (plan) => holds(plan.quick, 'forked, saved, exported, imported', IMAGES, 50)

async function holds(quick: boolean, doing: string, asked: Asked, most: number): Promise<Row[]> {
  const payments = quick ? 50_000 : 400_000
  const longestMs = await onCopy(await filledOnce(payments), async (copy) => {
    const service = await startMfano(copy)
    const cwd = folder()
    const ask = (name: string, world: string, round: number) => {
      const words = asked[name]?.(world, round) ?? []
      const flags = ['--silent', '--show-error', '--fail-with-body', '--output', `${name}-${world}`]
      return curl('curl', [...flags, ...words.slice(0, -1), service.url(words.at(-1))], { cwd })
    }
    const health = service.url('/_mfano/health')
    await send(service, 'POST', '/_mfano/worlds', { id: 'small' })
    await pay(service, 'small')
    const each: Record<string, number> = {}
    let slowestMs = 0
    for (const name of Object.keys(asked)) {
      // The first of a process loads what the others find there.
      await ask(name, 'small', 0)
      each[name] = await leastOf(most, async (round) => {
        const startedMs = performance.now()
        const longestMs = await longestUntil(ask(name, 'default', round), health)
        slowestMs = Math.max(slowestMs, performance.now() - startedMs)
        return longestMs
      })
    }
    // The longer it takes, the more often the machine itself holds everybody up.
    each['nobody'] = await leastOf(0, () => longestUntil(pass(slowestMs / ROUNDS), health))
    await service.stop()
    return each
  })
  const { nobody, ...each } = longestMs
  return [
    {
      what: `longest that another caller waits while a world of ${count(payments)} payments is ${doing}`,
      ours: Object.entries(each)
        .map(([name, ms]) => `${name} ${ms.toFixed(0)}`)
        .join(', '),
      baseline: `${nobody?.toFixed(0)} ms`,
      figures: [{ value: Math.max(...Object.values(each)), unit: ' ms', most }],
      how: `slowest \`GET /_mfano/health\`, one after the other, the least of up to ${ROUNDS} rounds of each; the baseline is while nobody asks, for a third as long; the figure is the slowest`,
    },
  ]
}

/** The least, because others on the machine only add to it; of one round where that meets the bar. */
async function leastOf(enough: number, round: (nth: number) => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let nth = 0; nth < ROUNDS && least > enough; nth++) least = Math.min(least, await round(nth))
  return least
}

/** Milliseconds of the slowest answer until something is done. */
async function longestUntil(done: Promise<unknown>, url: string): Promise<number> {
  let over = false
  const ended = done.finally(() => {
    over = true
  })
  let longestMs = 0
  while (!over) {
    const startedMs = performance.now()
    await (await fetch(url)).arrayBuffer()
    longestMs = Math.max(longestMs, performance.now() - startedMs)
  }
  await ended
  return longestMs
}
