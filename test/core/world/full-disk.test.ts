import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { World } from '../../../src/core/world.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { alarms } from '../../support/alarms.ts'
import { atOnce } from '../../support/at-once.ts'
import { fillDisk, LONG, makeRoom } from '../../support/disk.ts'
import { dump, fatedScenario, openWorld, outcomeOf, type ResponseFault } from '../../support/inside.ts'
import { dataDirectory } from '../../support/restart.ts'

/** A world in a file, whose receiver keeps what it is sent, and what it logged. */
function world(options: Parameters<typeof openWorld>[1] = {}) {
  const sql = options.sql ?? openSqlite(join(dataDirectory(), 'world.db'))
  const failures: string[] = []
  const heard: string[] = []
  const answer = (url: string) => {
    heard.push(url)
    return 200
  }
  const opened = openWorld(fatedScenario(), {
    sql,
    answer,
    failed: (error) => failures.push(String((error as { details?: string }).details ?? error)),
    ...options,
  })
  onTestFinished(() => opened.close())
  return { world: opened, sql, failures, heard }
}

/** Resolves when what was asked for so far is committed or failed, and everybody knows. */
async function committed(world: World) {
  await outcomeOf(world.commit.submit(() => {}))
  await new Promise((resolve) => setImmediate(resolve))
}

/** A payout that ends as its fate says. */
function pay(world: World, fate: ResponseFault, more: { note?: string; callbackUrl?: string } = {}) {
  const { note = '', ...rest } = more
  return world.perform({
    command: 'open-payment',
    kind: 'send-money',
    organisationId: 1,
    currency: 'KES',
    amountMinor: 1000,
    request: { phoneNumber: '254712345678', amount: 10, remarks: note, occasion: '', fate } as never,
    ...rest,
  })
}

const FULL = expect.stringMatching(/world\.db cannot be written \(SQLITE_FULL\): the disk is full/)

test('of a batch that meets a full disk nothing happens at all, in memory and on disk', async () => {
  const { world: full, sql, failures } = world()
  await pay(full, { afterUs: null })
  const before = dump(full)
  fillDisk(sql)
  // The second makes SQLite end the whole transaction; those behind it are not to go on outside of it.
  const batch = [{}, { note: LONG }, {}, {}].map((more) => outcomeOf(pay(full, { afterUs: null }, more)))
  expect(await Promise.all(batch)).toEqual(batch.map(() => ({ refused: 'SERVICE_UNAVAILABLE', status: 503 })))
  expect(dump(full)).toEqual(before)
  expect(failures).toEqual([FULL])

  makeRoom(sql)
  const after = await Promise.all([{}, { note: LONG }, {}].map((more) => pay(full, { afterUs: null }, more)))
  expect(after.map(({ payment }) => payment.seq)).toEqual([2, 3, 4])
  expect(atOnce(full.core.store.ledger.auditing())).toEqual([])
})

test('a world in memory that is full says so, and what to do', async () => {
  const { world: full, sql, failures } = world({ sql: openSqlite(':memory:') })
  await pay(full, { afterUs: null })
  const before = dump(full)
  fillDisk(sql)
  expect(await outcomeOf(pay(full, { afterUs: null }, { note: LONG }))).toEqual({
    refused: 'SERVICE_UNAVAILABLE',
    status: 503,
  })
  expect(failures).toEqual([
    expect.stringMatching(/: the database in memory cannot grow \(SQLITE_FULL\): it holds 1 GB\.$/),
  ])
  makeRoom(sql)
  expect(dump(full)).toEqual(before)
})

test('what is due waits for room, is tried again by itself, and health tells of it', async () => {
  const timers = alarms()
  const { world: full, sql, heard } = world({ host: timers.host, clock: { mode: 'realtime', startUs: null } })
  const callbackUrl = `http://merchant.example/${LONG}`
  const { payment } = await pay(full, { afterUs: 1_000_000 }, { callbackUrl })
  const status = () => full.core.store.payments.bySeq(payment.seq)?.status
  expect(await full.health()).toEqual([])

  fillDisk(sql)
  timers.ring()
  await committed(full)
  expect(status()).toBe('PENDING')
  const since = { sinceUs: expect.any(Number), why: FULL }
  expect(await full.health()).toEqual([
    { part: 'commits', ...since },
    { part: 'time', ...since },
  ])

  makeRoom(sql)
  timers.ring()
  await committed(full)
  await full.deliverer.whenIdle()
  expect(status()).toBe('SUCCESS')
  expect(heard).toEqual([callbackUrl])
  expect(await full.health()).toEqual([])
})

test('a callback that cannot be recorded is told once, recorded when there is room, and a settle says what is wrong', async () => {
  const heard: string[] = []
  // There is room for the step and none for the record of the attempt.
  const answer = (url: string) => {
    heard.push(url)
    fillDisk(sql)
    return 200
  }
  const { world: full, sql } = world({ host: alarms().host, answer })
  const callbackUrl = `http://merchant.example/${LONG}`
  const second = 1_000_000
  await pay(full, { afterUs: second }, { callbackUrl })
  const { core } = full
  const callback = () => core.store.callbacks.byId(1)
  const settle = () => full.runClock({ to: (nowUs) => nowUs + 60 * second, untilIdle: true })

  expect(await outcomeOf(settle())).toEqual({ refused: 'SERVICE_UNAVAILABLE', status: 503 })
  expect(callback()).toMatchObject({ state: 'pending', attempts: 0 })
  expect(await outcomeOf(settle())).toEqual({ refused: 'SERVICE_UNAVAILABLE', status: 503 })
  expect((await full.health()).map(({ part, why }) => [part, why])).toContainEqual(['callbacks', FULL])

  makeRoom(sql)
  expect(await settle()).toMatchObject({ ended: 'nothing_pending', callbacks: { delivered: 1, failed: 0 } })
  expect(callback()).toMatchObject({ state: 'delivered', attempts: 1 })
  expect(heard).toEqual([callbackUrl])
  expect(await full.health()).toEqual([])
})

test('what a change failed to store is not so in memory either', async () => {
  const { world: full, sql } = world({ host: alarms().host })
  const { core } = full
  const before = { now: core.clock.now(), rate: core.clock.rate, scenario: core.scenario }
  fillDisk(sql)
  const filler = { command: 'receive-in-inbox', name: 'a', headers: {}, body: LONG, signature: null } as never
  const doing = [
    full.perform({ command: 'set-clock', mode: 'scaled', rate: 60 }),
    full.perform({ command: 'set-scenario', scenario: { ...core.scenario, name: 'other' } }),
    // In the same batch, and too long for it.
    full.perform(filler),
  ].map((one) => outcomeOf(one as Promise<unknown>))
  expect(await Promise.all(doing)).toEqual(doing.map(() => ({ refused: 'SERVICE_UNAVAILABLE', status: 503 })))
  expect({ now: core.clock.now(), rate: core.clock.rate, scenario: core.scenario }).toEqual(before)
})
