import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Chance } from '../../../src/core/model/chance.ts'
import { payoutTo } from '../../support/bodies.ts'
import { START } from '../../support/harness.ts'
import { dayOrNight } from '../../support/night.ts'
import { dataDirectory } from '../../support/restart.ts'
import { type Any, gone, type Started, start } from './started.ts'

// The real program, killed while it makes, forks, saves, restores, replaces and removes worlds. Each world is then as
// it was before or as it was to be, and none is in between.

const ROUNDS = dayOrNight(8, 20)
const PAYMENTS = 20

const payout = payoutTo('http://127.0.0.1:9/nobody', { amount: 10 })
const frozen = { mode: 'frozen', start: START }

/** Something that is done again and again, and how many payments the world has when it was done. */
interface Deed {
  payments: number
  /** Whether it was answered. */
  done: boolean
}

/** What was going on when the program was killed. */
class Diary {
  /** The last deed at the world `swinging`, and the one before it. */
  swing: [before: Deed, last: Deed] = [
    { payments: 0, done: true },
    { payments: 0, done: true },
  ]
  /** Worlds that were forked, and whether that was answered. */
  readonly forks = new Map<string, boolean>()
  readonly snapshots = new Map<string, boolean>()
  /** Worlds whose removal was begun. */
  readonly removed = new Set<string>()
  /** Looks whether enough is going on. */
  noted = () => {}

  /** Resolves when a deed is under way and so many worlds were forked since the last look. */
  busy(forks: number): Promise<void> {
    return new Promise((resolve) => {
      this.noted = () => {
        const answered = [...this.forks.values()].filter(Boolean).length
        if (!this.swing[1].done && answered >= forks) resolve()
      }
    })
  }
}

/** Two worlds to begin with, one with payments that wait, and a snapshot of each. */
async function prepare({ call, login }: Started) {
  for (const id of ['empty', 'full', 'swinging']) await call('POST', '/_mfano/worlds', { id, clock: frozen })
  const token = await login('/w/full')
  for (let i = 0; i < PAYMENTS; i++) await call('POST', '/w/full/api/sandbox/v1/send-money', payout, token)
  for (const id of ['empty', 'full']) await call('POST', `/w/${id}/_mfano/snapshots`, { name: 'as-prepared' })
}

/** Takes a world to and fro between empty and full, by every way that there is. */
async function swing({ call, baseUrl }: Started, diary: Diary) {
  const full = await (await fetch(`${baseUrl}/_mfano/worlds/full/file`)).arrayBuffer()
  const ways: [payments: number, go: () => Promise<unknown>][] = [
    [PAYMENTS, () => call('POST', '/w/swinging/_mfano/snapshots/as-prepared/restore?world=full')],
    [0, () => call('POST', '/w/swinging/_mfano/reset')],
    [PAYMENTS, () => fetch(`${baseUrl}/_mfano/worlds/swinging/file`, { method: 'PUT', body: full })],
    [0, () => call('POST', '/w/swinging/_mfano/snapshots/as-prepared/restore?world=empty')],
  ]
  for (;;) {
    for (const [payments, go] of ways) {
      const deed = { payments, done: false }
      diary.swing = [diary.swing[1], deed]
      diary.noted()
      await go()
      deed.done = true
    }
  }
}

/** Forks, saves and removes as fast as it can. */
async function multiply({ call }: Started, diary: Diary, round: number) {
  for (let i = 1; ; i++) {
    const name = `r${round}-${i}`
    diary.forks.set(name, false)
    expect((await call('POST', '/_mfano/worlds', { id: name, from: 'full/as-prepared' })).status).toBe(201)
    diary.forks.set(name, true)
    diary.noted()
    diary.snapshots.set(name, false)
    expect((await call('POST', '/w/full/_mfano/snapshots', { name })).status).toBe(201)
    diary.snapshots.set(name, true)
    if (i % 3 !== 0) continue
    diary.removed.add(name)
    await call('DELETE', `/_mfano/worlds/${name}`)
  }
}

/** Looks at every world and snapshot, whether it is what it was or what it was to be. */
async function look(started: Started, diary: Diary) {
  const { call } = started
  const { worlds } = (await call('GET', '/_mfano/worlds')).body
  expect(worlds.filter(({ problem }: Any) => problem !== undefined)).toEqual([])
  const ids = worlds.map(({ id }: Any) => id)
  expect(ids).toEqual(expect.arrayContaining(['default', 'empty', 'full', 'swinging']))
  const payments = async (id: string) => {
    expect((await call('GET', `/w/${id}/_mfano/ledger?limit=1`)).body.imbalances, id).toEqual([])
    return (await call('GET', `/w/${id}/_mfano/payments?limit=1`)).body.total
  }

  const [before, last] = diary.swing
  const possible = last.done ? [last.payments] : [before.payments, last.payments]
  const found = await payments('swinging')
  expect(possible).toContain(found)
  diary.swing = [last, { payments: found, done: true }]

  for (const [id, answered] of diary.forks) {
    const there = ids.includes(id)
    if (answered && !diary.removed.has(id)) expect(there, `the fork ${id} was acknowledged`).toBe(true)
    if (there) expect(await payments(id), id).toBe(PAYMENTS)
    // Looked at once; the directory stays small.
    if (there) await call('DELETE', `/_mfano/worlds/${id}`)
  }
  diary.forks.clear()

  const { snapshots } = (await call('GET', '/w/full/_mfano/snapshots')).body
  expect(snapshots.filter(({ problem }: Any) => problem !== undefined)).toEqual([])
  for (const [name, answered] of diary.snapshots) {
    const there = snapshots.some((one: Any) => one.name === name)
    if (answered) expect(there, `the snapshot ${name} was acknowledged`).toBe(true)
    if (!there) continue
    // Reads all of it, and checks what it adds up to.
    expect((await call('POST', `/w/swinging/_mfano/snapshots/${name}/restore?world=full`)).status).toBe(200)
    await call('DELETE', `/w/full/_mfano/snapshots/${name}`)
    diary.swing = [diary.swing[1], { payments: PAYMENTS, done: true }]
  }
  diary.snapshots.clear()
}

test(`after ${ROUNDS} times kill -9 every world is as it was before or as it was to be`, {
  timeout: 60_000 + ROUNDS * 20_000,
}, async () => {
  const directory = dataDirectory()
  const chance = new Chance(7)
  const diary = new Diary()
  const flags = ['--open-worlds', '2']
  const first = await start(directory, ...flags)
  await prepare(first)
  await first.program.kill()
  let forks = 0
  let interrupted = 0

  for (let round = 1; round <= ROUNDS; round++) {
    const started = await start(directory, ...flags)
    await look(started, diary)
    const busy = diary.busy(2 + chance.of('kill', round).below(3))
    const working = [swing(started, diary), multiply(started, diary, round)].map((work) => work.catch(gone))
    await busy
    await started.program.kill()
    await Promise.all(working)
    forks += diary.forks.size
    if (!diary.swing[1].done) interrupted++
  }

  const last = await start(directory, ...flags)
  await look(last, diary)
  expect(forks).toBeGreaterThan(ROUNDS)
  expect(interrupted).toBeGreaterThan(ROUNDS / 2)
  expect((await last.call('POST', '/w/full/_mfano/clock/advance', { by: '10s' })).body.steps).toBe(PAYMENTS)
  const unfinished = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.new'),
  )
  expect(unfinished).toEqual([])
})
