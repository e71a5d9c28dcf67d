import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memorySnapshotStore } from '../../../src/hosts/node/storage/files.ts'
import { payoutTo } from '../../support/bodies.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { dump } from '../../support/inside.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

// A snapshot is a world as it was at one moment, with all that waits in it: to go back to, or to go on from elsewhere.

async function pay(world: TestWorld, callbackUrl: string, change: object = {}): Promise<string> {
  const answer = await world.post('/api/sandbox/v1/send-money', payoutTo(callbackUrl, change))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.requestId
}

describe.each([
  { where: 'in files', files: true },
  { where: 'in memory', files: false },
])('$where', ({ files }) => {
  const bench = useBench({ files })

  test('a world is saved, goes on, and is taken back with all that was waiting in it', async () => {
    const world = await bench.world({ id: 'shop' })
    const token = await world.token()
    const uuid = await pay(world, bench.receiver.url())
    await world.advance('1s')
    const saved = await world.control('POST', '/snapshots', { name: 'one-second-in', note: 'the payout is on its way' })
    expect(saved).toEqual({
      name: 'one-second-in',
      world: 'shop',
      note: 'the payout is on its way',
      now: '2025-01-24T16:28:01.000000Z',
      clock: { mode: 'frozen', rate: 1 },
      scenario: 'default',
      seed: 1,
      bytes: expect.any(Number),
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      schemaVersion: expect.any(Number),
    })
    const then = dump(world.inside)

    await world.advance('1h')
    await world.control('POST', '/wallets/fund', { currency: 'KES', amount: 5 })
    await world.control('PUT', '/scenario', { name: 'other', description: 'Another one.' })
    await world.control('PATCH', '/clock', { mode: 'realtime' })
    expect(await world.control('POST', '/snapshots/one-second-in/restore')).toEqual({
      id: 'shop',
      baseUrl: world.baseUrl,
      scenario: 'default',
      seed: 1,
      clock: { mode: 'frozen', rate: 0, now: '2025-01-24T16:28:01.000000Z' },
      beganAt: '2025-01-24T16:28:00.000000Z',
      payments: 1,
      callbacksPaused: false,
    })
    expect(dump(world.inside)).toEqual(then)

    // A token that was issued before holds again, and what was due falls due again: the receiver hears of it twice.
    expect((await world.get('/api/sandbox/v1/bank/payout/all', { token })).status).toBe(200)
    expect(await world.advance('1s')).toMatchObject({ steps: 1, callbacks: { delivered: 1 } })
    expect((await world.control('GET', `/payments/${uuid}`)).status).toBe('SUCCESS')
    expect(bench.receiver.received.map(({ body }) => body.requestId)).toEqual([uuid, uuid])
  })

  test('the outbox comes along: a callback that waits for its next attempt is told where the world goes on', async () => {
    const world = await bench.world({ scenario: 'callbacks-retried' })
    bench.receiver.answer = 500
    await pay(world, bench.receiver.url())
    await world.advance('3s')
    await world.control('POST', '/snapshots', { name: 'untold' })
    bench.receiver.answer = 200
    expect(await world.advance('1h')).toMatchObject({ callbacks: { delivered: 1 } })
    const [told] = (await world.control('GET', '/callbacks')).callbacks
    await world.control('POST', '/snapshots/untold/restore')
    expect((await world.control('GET', '/callbacks')).counts).toMatchObject({ pending: 1, delivered: 0 })
    expect(await world.advance('1h')).toMatchObject({ callbacks: { delivered: 1 } })
    expect((await world.control('GET', `/callbacks/${told.uid}`)).state).toBe('delivered')
  })

  test('others have their turn while a large world is brought up', async () => {
    const world = await bench.world({ id: 'large' })
    const { sql } = world.inside.core.store
    const insert = sql.prepare('INSERT INTO inbox (id, name, atUs, headers, body) VALUES (?, ?, 0, ?, ?)')
    for (let id = 1; id <= 40; id++) insert.run(id, 'large', '{}', 'x'.repeat(1_000_000))
    const { host } = world.inside
    const { defer } = host
    let turns = 0
    host.defer = (work) => {
      turns++
      defer(work)
    }
    const { worlds } = bench.simulator
    try {
      await worlds.putFile('came', await worlds.file('large'))
    } finally {
      host.defer = defer
    }
    // Between the checks.
    expect(turns).toBeGreaterThan(10)
    for (const id of ['large', 'came']) expect(worlds.get(id).core.store.inbox.list('large')).toHaveLength(40)
  })

  test('of forks under one name that are made at once, one is made', async () => {
    const world = await bench.world({ id: 'base' })
    await pay(world, bench.receiver.url())
    const { worlds } = bench.simulator
    const forks = await Promise.allSettled([1, 2, 3].map(() => worlds.fork({ from: 'base', id: 'same' })))
    expect(forks.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(forks).toContainEqual({ status: 'rejected', reason: expect.objectContaining({ code: 'WORLD_EXISTS' }) })
    expect(worlds.ids()).toEqual(['default', 'base', 'same'])
    expect(worlds.get('same').core.store.payments.page({}, { limit: 10, newestFirst: true })).toHaveLength(1)
  })

  test('a fork goes on where a world is, and neither knows of the other', async () => {
    const base = await bench.world({ id: 'base', seed: 7 })
    await pay(base, bench.receiver.url('/told'))
    await base.advance('1s')
    const fork = await bench.world({ id: 'fork', from: 'base' })
    expect(await fork.control('GET', '/clock')).toMatchObject({ mode: 'frozen', now: '2025-01-24T16:28:01.000000Z' })

    await fork.advance('1m')
    expect(await fork.available()).toBe(999_900)
    expect((await fork.control('GET', '/payments')).payments[0].status).toBe('SUCCESS')
    expect((await base.control('GET', '/payments')).payments[0].status).toBe('PENDING')
    expect((await base.control('GET', '/clock')).now).toBe('2025-01-24T16:28:01.000000Z')
    await base.advance('1m')
    expect(bench.receiver.at('/told')).toHaveLength(2)
    // The next payments have the same ids, because the seed and the counts are the same.
    expect(await pay(fork, bench.receiver.url())).toBe(await pay(base, bench.receiver.url()))
  })

  test('a token of the original is foreign in a fork; its key pair is not', async () => {
    const base = await bench.world()
    const fork = await bench.world({ from: base.id })
    const foreign = await fork.get('/api/sandbox/v1/bank/payout/all', { token: await base.token() })
    expect(foreign).toMatchObject({ status: 401, body: { error: { code: 'AUTH_INVALID_TOKEN' } } })
    expect((await fork.get('/api/sandbox/v1/bank/payout/all')).status).toBe(200)
  })

  test('a fork signs its callbacks with the secret of the original, and so does a fork of it', async () => {
    const base = await bench.world()
    const fork = await bench.world({ from: base.id })
    const second = await bench.world({ from: fork.id })
    const { secret } = await base.control('GET', '/callbacks/secret')
    for (const world of [fork, second]) expect((await world.control('GET', '/callbacks/secret')).secret).toBe(secret)
    await second.control('POST', '/reset')
    expect((await second.control('GET', '/callbacks/secret')).secret).toBe(secret)
  })

  test('a fork takes another scenario for new payments, and another clock', async () => {
    const base = await bench.world()
    await pay(base, bench.receiver.url())
    const fork = await bench.world({
      from: base.id,
      scenario: 'stuck-pending',
      clock: { mode: 'scaled', rate: 0.001 },
    })
    expect((await fork.control('GET', '/clock')).mode).toBe('scaled')
    await fork.control('PATCH', '/clock', { mode: 'frozen' })
    await pay(fork, bench.receiver.url())
    await fork.advance('1h')
    const { payments } = await fork.control('GET', '/payments')
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'SUCCESS'])
  })

  test('a fork sets parameters of the scenario that it goes on with', async () => {
    const base = await bench.world({
      scenario: {
        name: 'limited',
        description: 'Large payouts are refused.',
        parameters: { limit: { default: 1000 } },
        rules: [
          {
            name: 'too much',
            on: 'send-money',
            // biome-ignore lint/suspicious/noTemplateCurlyInString: a scenario's parameter
            when: 'request.amount > ${limit}',
            then: { refuse: { code: 'PAYMENT_LIMIT_EXCEEDED' } },
          },
        ],
      },
    })
    const fork = await bench.world({ from: base.id, parameters: { limit: 50 } })
    const amounts = async (world: TestWorld) =>
      (await world.post('/api/sandbox/v1/send-money', payoutTo(bench.receiver.url()))).status
    expect([await amounts(base), await amounts(fork)]).toEqual([201, 403])
  })

  test('many worlds go on from one snapshot, which outlives its world', async () => {
    const base = await bench.world({ id: 'base' })
    await pay(base, bench.receiver.url())
    await base.control('POST', '/snapshots', { name: 'paid' })
    bench.simulator.worlds.remove('base')
    const forks = await Promise.all([1, 2, 3].map(() => bench.world({ from: 'paid' })))
    expect(new Set(forks.map(({ id }) => id)).size).toBe(3)
    for (const fork of forks) expect(await fork.advance('10s')).toMatchObject({ steps: 1 })
    const again = await bench.world({ id: 'base', from: 'base/paid' })
    expect(await again.available()).toBe(999_900)
  })

  test('a snapshot of one world can be restored in another', async () => {
    const [one, other] = [await bench.world({ id: 'one' }), await bench.world({ id: 'other' })]
    await pay(one, bench.receiver.url())
    await one.control('POST', '/snapshots', { name: 'paid' })
    expect((await other.raw('POST', '/_mfano/snapshots/paid/restore')).status).toBe(404)
    await other.control('POST', '/snapshots/paid/restore?world=one')
    expect(await other.control('GET', '/health')).toMatchObject({ world: 'other' })
    expect(await other.advance('10s')).toMatchObject({ steps: 1 })
    expect((await one.control('GET', '/clock')).now).toBe(`${START}.000000Z`)
  })

  test('time that has passed since does not count: a running clock goes on where it was', async () => {
    const world = await bench.world({ clock: { mode: 'realtime', start: START } })
    const { now } = await world.control('POST', '/snapshots', { name: 'then' })
    await world.advance('1h')
    const { clock } = await world.control('POST', '/snapshots/then/restore')
    expect(clock.mode).toBe('realtime')
    expect(clock.now >= now && clock.now < '2025-01-24T17:28').toBe(true)
  })

  test('snapshots are listed by world, all of them at the server, and removed', async () => {
    const [one, other] = [await bench.world({ id: 'one' }), await bench.world({ id: 'other' })]
    expect((await one.control('POST', '/snapshots')).name).toBe('snapshot-1')
    expect((await one.control('POST', '/snapshots')).name).toBe('snapshot-2')
    await other.control('POST', '/snapshots', { name: 'mine' })
    const names = async (base: string) => {
      const response = await fetch(`${base}/_mfano/snapshots`)
      const { snapshots } = (await response.json()) as { snapshots: { world: string; name: string }[] }
      return snapshots.map(({ world, name }) => `${world}/${name}`)
    }
    expect(await names(one.baseUrl)).toEqual(['one/snapshot-1', 'one/snapshot-2'])
    expect(await names(bench.simulator.baseUrl)).toEqual(
      expect.arrayContaining(['one/snapshot-1', 'one/snapshot-2', 'other/mine']),
    )
    expect(await one.control('DELETE', '/snapshots/snapshot-2')).toEqual({ removed: 'snapshot-2', world: 'one' })
    expect(await names(one.baseUrl)).toEqual(['one/snapshot-1'])
  })

  test('a name is taken until it is replaced', async () => {
    const world = await bench.world({ id: 'named' })
    await world.control('POST', '/snapshots', { name: 'start' })
    await world.advance('1h')
    const taken = await world.raw('POST', '/_mfano/snapshots', { body: { name: 'start' } })
    expect(taken).toMatchObject({
      status: 409,
      body: { error: { code: 'SNAPSHOT_EXISTS', details: expect.stringContaining('"replace":true') } },
    })
    const saved = async () =>
      (await world.control('GET', '/snapshots')).snapshots.map(({ now }: { now: string }) => now)
    expect(await saved()).toEqual([`${START}.000000Z`])
    await world.control('POST', '/snapshots', { name: 'start', replace: true })
    expect(await saved()).toEqual(['2025-01-24T17:28:00.000000Z'])
  })

  test('two that are saved at once under no name get two names', async () => {
    const world = await bench.world({ id: 'twice' })
    const saved = await Promise.all([world.control('POST', '/snapshots'), world.control('POST', '/snapshots')])
    expect(saved.map(({ name }) => name).sort()).toEqual(['snapshot-1', 'snapshot-2'])
  })

  test.each(['', 'Upper', '../up', 'a/b', 'a.b', 'ends-', 'x'.repeat(64), 'nul'])('"%s" is no name', async (name) => {
    const world = await bench.world()
    const answer = await world.raw('POST', '/_mfano/snapshots', { body: { name } })
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FIELD' } } })
    expect(answer.body.error.details).toMatch(/^name: must /)
  })

  test('what is not there is named, with what may be meant', async () => {
    const world = await bench.world({ id: 'payroll' })
    await world.control('POST', '/snapshots', { name: 'before-payday' })
    const details = async (method: string, path: string, body?: object) =>
      (await world.raw(method, `/_mfano${path}`, body ? { body } : {})).body.error
    expect(await details('POST', '/snapshots/before-paydya/restore')).toEqual({
      code: 'SNAPSHOT_NOT_FOUND',
      message: 'No such snapshot',
      details:
        'There is no snapshot "before-paydya" of the world "payroll". Did you mean "before-payday"? Save one: POST /_mfano/snapshots {"name":"…"}',
      hints: [expect.objectContaining({ operation: 'snapshot.save', with: { name: '…' } })],
    })
    expect((await details('GET', '/snapshots/none/file')).code).toBe('SNAPSHOT_NOT_FOUND')
    const fork = async (body: object) => {
      const response = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`, {
        method: 'POST',
        body: JSON.stringify(body),
      })
      return { status: response.status, ...((await response.json()) as { error: object }) }
    }
    expect(await fork({ from: 'payrol' })).toMatchObject({
      status: 404,
      error: { code: 'SOURCE_NOT_FOUND', details: expect.stringContaining('Did you mean "payroll"?') },
    })
    expect(await fork({ from: 'payroll/before-pay-day' })).toMatchObject({
      status: 404,
      error: { details: expect.stringContaining('Did you mean "before-payday"?') },
    })
    const other = await bench.world({ id: 'other' })
    await other.control('POST', '/snapshots', { name: 'before-payday' })
    expect(await fork({ from: 'before-payday' })).toMatchObject({
      status: 409,
      error: {
        code: 'AMBIGUOUS_NAME',
        details: expect.stringContaining('"other/before-payday" or "payroll/before-payday"'),
      },
    })
    expect(await fork({ from: 'payroll', seed: 3 })).toMatchObject({
      status: 400,
      error: { details: expect.stringMatching(/^seed: must be left out beside from/) },
    })
    expect(await fork({ from: 'payroll', clock: { start: START } })).toMatchObject({
      status: 400,
      error: { details: expect.stringMatching(/^clock.start: must be left out beside from/) },
    })
    expect(await fork({ from: 'payroll', id: 'other' })).toMatchObject({ status: 409, error: { code: 'WORLD_EXISTS' } })
    expect(bench.simulator.worlds.ids()).toEqual(['default', 'other', 'payroll'])
  })
})

test('a snapshot outlives the process, and restores the default world too', async () => {
  const directory = dataDirectory()
  const before = await startOn(directory)
  const at = (base: string, method: string, path: string, body?: object) =>
    fetch(`${base}/_mfano${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
  await at(before.baseUrl, 'PATCH', '/clock', { mode: 'frozen' })
  await at(before.baseUrl, 'POST', '/snapshots', { name: 'empty' })
  await at(before.baseUrl, 'POST', '/wallets/fund', { currency: 'KES', amount: 5 })
  await before.close()
  expect(existsSync(join(directory, 'snapshots', 'default', 'empty.mfano'))).toBe(true)
  // What a crash may leave of a snapshot that was being written.
  writeFileSync(join(directory, 'snapshots', 'default', 'half.mfano.new'), 'mfano wor')

  const after = await startOn(directory)
  expect(readdirSync(join(directory, 'snapshots', 'default'))).toEqual(['empty.mfano'])
  expect((await at(after.baseUrl, 'POST', '/snapshots/empty/restore')).status).toBe(200)
  const wallets = (await (await at(after.baseUrl, 'GET', '/wallets')).json()) as { wallets: object[] }
  expect(wallets.wallets).toContainEqual(expect.objectContaining({ currency: 'KES', available: 1_000_000 }))
})

test('a snapshot that was altered on disk is neither restored nor forked, by the process that wrote it either', async () => {
  const directory = dataDirectory()
  const { baseUrl, world, worlds } = await startOn(directory)
  const at = async (path: string, body?: object) => {
    const answer = await fetch(`${baseUrl}/_mfano${path}`, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: await answer.json() }
  }
  await at('/worlds', { id: 'shop', clock: { mode: 'frozen', start: START } })
  await fetch(`${baseUrl}/w/shop/_mfano/snapshots`, { method: 'POST', body: '{"name":"spoilt"}' })
  const before = dump(world('shop').inside)
  const file = join(directory, 'snapshots', 'shop', 'spoilt.mfano')
  const bytes = readFileSync(file)
  bytes[5000] = (bytes[5000] as number) ^ 7
  writeFileSync(file, bytes)
  const refused = { status: 400, body: { error: { code: 'BAD_WORLD_FILE' } } }
  expect(await at('/worlds', { from: 'shop/spoilt', id: 'fork' })).toMatchObject(refused)
  const restored = await fetch(`${baseUrl}/w/shop/_mfano/snapshots/spoilt/restore`, { method: 'POST' })
  expect({ status: restored.status, body: await restored.json() }).toMatchObject(refused)
  expect(worlds.ids()).toEqual(['default', 'shop'])
  expect(dump(world('shop').inside)).toEqual(before)
})

test('snapshots in memory have a bound, and say so', async () => {
  const snapshotStore = memorySnapshotStore(100)
  await snapshotStore.write('shop', 'one', new Uint8Array(60))
  await expect(snapshotStore.write('shop', 'two', new Uint8Array(41))).rejects.toEqual(
    expect.objectContaining({
      code: 'SNAPSHOTS_FULL',
      status: 507,
      details: expect.stringContaining('at most 100 bytes'),
    }),
  )
  await snapshotStore.write('shop', 'one', new Uint8Array(100))
  expect(snapshotStore.list()).toEqual([{ world: 'shop', name: 'one' }])
})
