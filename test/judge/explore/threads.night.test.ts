/** Schedules are run in several threads once a search goes on for a while, and come to the same there. */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { traceOf } from '../../../src/judge/explore/behaviours.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { type Explored, runExplorer } from '../../../src/judge/explore/explorer.ts'
import { ScheduleRunners } from '../../../src/judge/explore/schedule-runners.ts'
import { optionsOf } from '../../../src/judge/explore/schedules.ts'
import { edition } from '../editions.ts'

const LONG_MS = 300_000
vi.setConfig({ testTimeout: LONG_MS })
const RUNS = 12
const JOBS = 6

/** A search that knows the ordinary day of an app. */
async function search(file: string, jobs: number, signal = new AbortController().signal) {
  const merchant = readMerchantFile(file)
  const patience = { readyWithinMs: 60_000, restWithinMs: 20_000 }
  const runners = await ScheduleRunners.open({ merchant, seed: 1, jobs, signal, ...patience })
  onTestFinished(() => runners.close())
  const ordinary = await runners.run([], { patience: 'first' })
  await runners.learn(ordinary, false)
  const singles = ordinary.payments.flatMap((one) => optionsOf(one, merchant)).map((choice) => [choice])
  return { runners, singles: singles.slice(0, RUNS) }
}

type Search = Awaited<ReturnType<typeof search>>

/** Runs schedules, so many at a time. */
async function inParallel({ runners }: Search, schedules: readonly (readonly Choice[])[], jobs: number) {
  const came: string[] = []
  const waiting = [...schedules.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const ran = await runners.run(next[1])
      const about = ran.findings.map(({ code, requestId = '' }) => [code, ran.about.get(requestId)])
      came[next[0]] = JSON.stringify([ran.choices, traceOf(ran), about, ran.payments])
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return came
}

/** How many threads this process begins until the test is over. */
function countThreads(): () => number {
  let begun = 0
  const count = () => begun++
  process.on('worker', count)
  onTestFinished(() => void process.off('worker', count))
  return () => begun
}

it('comes to the same in several threads as in one, and every one says why it cannot go on', async () => {
  const file = edition('duka', '5xx-is-failed', (text) => text.replace(/^reset:.*\n/m, ''))
  const controller = new AbortController()
  const threads = countThreads()
  const [alone, spread] = [await search(file, 1), await search(file, JOBS, controller.signal)]
  const expected = await inParallel(alone, alone.singles, 1)
  expect(threads()).toBe(0)
  // The other threads begin during the third round.
  for (let round = 1; round <= 4; round++) expect(await inParallel(spread, spread.singles, JOBS)).toEqual(expected)
  expect(threads()).toBe(Math.min(availableParallelism(), JOBS / 3) - 1)
  // A mistake was seen, and the payment that it is about is told.
  expect(expected.some((text) => text.includes('["stale",{"kind":"'))).toBe(true)

  const program = join(dirname(file), 'duka.mjs')
  const working = readFileSync(program)
  writeFileSync(program, "console.log('out of order')\nprocess.exit(3)\n")
  // Some of the apps that were started ahead are as they were.
  const all = [...spread.singles, ...spread.singles]
  const runAll = async () =>
    (await Promise.all(all.map((choices) => spread.runners.run(choices)))).filter(({ isLost }) => isLost)
  const broken = await runAll()
  expect(broken.length).toBeGreaterThan(all.length / 2)
  for (const { unjudged } of broken) expect(unjudged).toContain('out of order')

  writeFileSync(program, working)
  // Those that are out of order and were started ahead go first.
  while ((await runAll()).length > 0);
  const running = Array.from({ length: JOBS }, () => spread.runners.run([]))
  controller.abort(new Error('enough'))
  const ended = rejected(await Promise.allSettled(running))
  expect(ended.map(({ message }) => message)).toEqual(running.map(() => 'enough'))
})

const rejected = (ends: readonly PromiseSettledResult<unknown>[]) =>
  ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []))

it('finds the same with the same seed, however many run at a time', async () => {
  const merchant = readMerchantFile(edition('duka', '5xx-is-failed'))
  const found = async (jobs: number) => {
    const ran: string[] = []
    const { findings, schedules }: Explored = await runExplorer({
      ...{ merchant, seed: 7, jobs, schedules: 24, findingsMax: 1, withinMs: LONG_MS, replay: [] },
      ...{ readyWithinMs: 60_000, restWithinMs: 20_000, signal: new AbortController().signal },
      ran: ({ choices }) => void ran.push(JSON.stringify(choices)),
    })
    return { found: findings.map(({ code, choices }) => ({ code, choices })), runs: schedules.run, ran }
  }
  const [few, many] = [await found(1), await found(JOBS)]
  expect({ ...many, ran: [] }).toEqual({ ...few, ran: [] })
  expect(few.found).not.toEqual([])
  // What is run ahead of need may be more, and nothing else.
  expect(few.ran.filter((one) => !many.ran.includes(one))).toEqual([])
})
