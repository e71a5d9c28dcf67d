import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../../src/core/schema.ts'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { Receiver, START, type TestWorld, useBench } from '../../support/harness.ts'
import { dump } from '../../support/inside.ts'
import { mfano } from '../../support/program.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

// A world is a sandbox of its own: what happens in one is not known in another, and it outlives the process.

const bench = useBench()

const { pay } = bench

const total = async (world: TestWorld) => (await world.control('GET', '/payments')).total
const atServer = (method: string, path: string, body?: object) =>
  fetch(bench.simulator.baseUrl + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })

test('a payment, its money, its callback and its journal entry stay in their world', async () => {
  const [first, second] = [await bench.world(), await bench.world()]
  const uuid = await pay(first, { referenceId: 'salary-1' })
  await first.advance('10s')

  expect(await total(second)).toBe(0)
  expect([await first.available(), await second.available()]).toEqual([999_900, 1_000_000])
  expect((await second.control('GET', '/callbacks')).callbacks).toEqual([])
  const read = `/api/sandbox/v1/send-money/single?companyId=${second.companyId}&requestId=`
  for (const id of [uuid, 'salary-1'])
    expect(await second.get(read + id)).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
  expect((await second.raw('GET', `/_mfano/payments/${uuid}`)).status).toBe(404)
  const operations = (await second.control('GET', '/requests')).requests.map(
    ({ operation }: { operation: string }) => operation,
  )
  expect(operations).not.toContain('createSendMoney')
})

test('time goes in one world and stands in another', async () => {
  const [first, second] = [await bench.world(), await bench.world()]
  await pay(first)
  const waiting = await pay(second)
  await first.advance('2d')
  expect(await second.control('GET', '/clock')).toMatchObject({
    now: `${START}.000000Z`,
    nextDue: '2025-01-24T16:28:02.000000Z',
  })
  expect((await second.control('GET', `/payments/${waiting}`)).status).toBe('PENDING')
  // The token of the first world has expired with its clock; the other one has not.
  expect((await first.get('/api/sandbox/v1/bank/payout/all')).status).toBe(401)
  expect((await second.get('/api/sandbox/v1/bank/payout/all')).status).toBe(200)
})

test('a scenario holds in its own world only', async () => {
  const [first, second] = [await bench.world({ scenario: 'stuck-pending' }), await bench.world()]
  const [stuck, quick] = [await pay(first), await pay(second)]
  for (const world of [first, second]) await world.advance('1h')
  expect((await first.control('GET', `/payments/${stuck}`)).status).toBe('PENDING')
  expect((await second.control('GET', `/payments/${quick}`)).status).toBe('SUCCESS')

  await second.control('PUT', '/scenario', { name: 'mine', description: 'The default world by another name.' })
  expect((await first.control('GET', '/scenario')).name).toBe('stuck-pending')
})

test('worlds have ids of their own, the same whenever they begin again', async () => {
  const [first, second] = [await bench.world({ id: 'one' }), await bench.world({ id: 'two' })]
  const id = await pay(first)
  expect(await pay(second)).not.toBe(id)
  await first.control('POST', '/reset')
  expect(await pay(first)).toBe(id)
  // A fork goes on as what it is made of would.
  const fork = await bench.world({ from: 'one' })
  expect(await pay(fork)).toBe(await pay(first))
})

test('a world is the same, whatever worlds there were before it', async () => {
  const lived = async () => {
    const world = await bench.world({ id: 'same', seed: 3 })
    await pay(world, { referenceId: 'salary-1' })
    await world.advance('1m')
    const all = dump(world.inside)
    await atServer('DELETE', '/_mfano/worlds/same')
    return all
  }
  const first = await lived()
  const different = async () => {
    const world = await bench.world({ id: 'other', scenario: 'slow-rails' })
    for (let n = 0; n < 3; n++) await world.control('POST', `/organisations/${world.companyId}/credentials`)
    for (let n = 0; n < 5; n++) await pay(world)
    await atServer('DELETE', '/_mfano/worlds/other')
  }
  // The first of a kind is built, the others are copies.
  for (let n = 0; n < 2; n++) await different()
  for (let n = 0; n < 3; n++) expect(await lived()).toEqual(first)
})

test('odds are those of the seed, whatever a world is called', async () => {
  const scenario = 'flaky-rail'
  const [first, second] = await Promise.all(
    ['one', 'two'].map(async (id) => {
      const world = await bench.world({ id, scenario })
      const answers: string[] = []
      for (let n = 0; n < 40; n++) {
        const accepted = () => 'accepted'
        answers.push(await pay(world).then(accepted, () => 'refused'))
      }
      return answers
    }),
  )
  expect(first).toEqual(second)
  expect(new Set(first)).toEqual(new Set(['accepted', 'refused']))
})

test('a world is made with what it is told, listed, and removed', async () => {
  const made = await bench.world({
    id: 'shop-7',
    scenario: 'slow-rails',
    seed: 3,
    clock: { mode: 'scaled', rate: 60, start: START },
  })
  expect(made.baseUrl).toBe(`${bench.simulator.baseUrl}/w/shop-7`)
  const { worlds } = await (await atServer('GET', '/_mfano/worlds')).json()
  expect(worlds).toContainEqual({
    id: 'shop-7',
    baseUrl: made.baseUrl,
    scenario: 'slow-rails',
    seed: 3,
    clock: { mode: 'scaled', rate: 60, now: expect.stringContaining('2025-01-24T16:') },
    payments: 0,
    callbacksPaused: false,
    beganAt: expect.stringContaining('2025-01-24T16:28:00'),
  })
  expect(await (await atServer('DELETE', '/_mfano/worlds/shop-7')).json()).toEqual({ removed: 'shop-7' })
  expect((await made.raw('GET', '/_mfano/health')).status).toBe(404)
  // The name is free again, and nothing of the old world is in the new one.
  const again = await bench.world({ id: 'shop-7' })
  expect((await again.control('GET', '/scenario')).name).toBe('default')
})

test('removing one world leaves the others at work', async () => {
  const [first, second] = [await bench.world({ id: 'first' }), await bench.world({ id: 'second' })]
  for (const world of [first, second]) await pay(world)
  await atServer('DELETE', '/_mfano/worlds/first')
  expect(await second.advance('10s')).toMatchObject({ steps: 1, callbacks: { delivered: 1 } })
  expect(bench.receiver.received).toHaveLength(1)
})

test('a world that is not there is a 404 that says how to make it', async () => {
  await bench.world({ id: 'payroll' })
  for (const path of ['/api/v1/get-token', '/_mfano/health', '/']) {
    const answer = await atServer('GET', `/w/payrol${path}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: {
        code: 'WORLD_NOT_FOUND',
        message: 'No such world',
        details: 'There is no world "payrol". Did you mean "payroll"? Make it: POST /_mfano/worlds {"id":"payrol"}',
        hints: [expect.objectContaining({ operation: 'world.create', with: { id: 'payrol' } })],
      },
    })
  }
})

test.each(['', 'Upper', '-begins', 'ends-', 'under_score', 'a/b', '../up', 'dots.db', 'ü', 'x'.repeat(64)])(
  '"%s" is no name for a world',
  async (id) => {
    const answer = await atServer('POST', '/_mfano/worlds', { id })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'INVALID_FIELD',
        details: expect.stringContaining('id: must be 1 to 63 lower-case letters, digits and inner hyphens'),
      },
    })
  },
)

test('a name is taken once, and the default world is always there', async () => {
  await bench.world({ id: 'mine' })
  expect(await (await atServer('POST', '/_mfano/worlds', { id: 'mine' })).json()).toMatchObject({
    error: { code: 'WORLD_EXISTS', details: expect.stringContaining('DELETE /_mfano/worlds/mine') },
  })
  const needed = await atServer('DELETE', '/_mfano/worlds/default')
  expect(needed.status).toBe(409)
  expect(await needed.json()).toMatchObject({ error: { code: 'WORLD_NEEDED' } })
  // Below a world no stranger's world is removed or read.
  const below = await bench.world()
  for (const [method, path] of [
    ['DELETE', '/_mfano/worlds/mine'],
    ['GET', '/_mfano/worlds/mine/file'],
  ] as const)
    expect((await below.raw(method, path)).body).toMatchObject({
      error: { code: 'SERVER_LEVEL', details: expect.stringContaining(`${bench.simulator.baseUrl}/_mfano/worlds`) },
    })
})

test('below a world others take free names, its scenario and its assumptions, and go with it', async () => {
  const upper = await bench.world({ id: 'upper', scenario: 'stuck-pending' })
  await upper.control('PUT', '/assumptions/error-body', { value: 'flat' })
  type Below = { id: string; baseUrl: string; scenario: string }
  const make = async (body: object) => (await upper.raw('POST', '/_mfano/worlds', { body })).body as Below
  const [first, second, named, again, own] = [
    await make({}),
    await make({}),
    await make({ id: 'shop' }),
    await make({ id: 'shop' }),
    await make({ scenario: 'slow-rails' }),
  ]
  expect([first, second, named, again].map(({ id }) => id)).toEqual([
    'upper-1',
    'upper-2',
    'upper-shop-1',
    'upper-shop-2',
  ])
  expect(first.scenario).toBe('stuck-pending')
  expect(own.scenario).toBe('slow-rails')
  for (const { id } of [first, own]) {
    const refused = await atServer('GET', `/w/${id}/api/sandbox/v1/send-money/all`)
    expect(await refused.json()).not.toMatchObject({ error: { code: expect.anything() } })
  }
  const listed = async () => ((await upper.control('GET', '/worlds')) as { worlds: Below[] }).worlds.map(({ id }) => id)
  expect(await listed()).toHaveLength(5)
  expect((await upper.raw('DELETE', `/_mfano/worlds/${second.id}`)).body).toEqual({ removed: second.id })
  expect((await atServer('GET', `/w/${second.id}/_mfano/clock`)).status).toBe(404)
  await atServer('DELETE', `/_mfano/worlds/${upper.id}`)
  for (const { id } of [first, named, again, own])
    expect((await atServer('GET', `/w/${id}/_mfano/clock`)).status).toBe(404)
})

test('a reset goes back to the beginning, and the same calls give the same ids again', async () => {
  const world = await bench.world({ seed: 11 })
  const beginning = dump(world.inside)
  const first = await pay(world)
  await world.control('POST', '/wallets/fund', { currency: 'KES', amount: 5 })
  await world.advance('1h')

  expect(await world.control('POST', '/reset')).toMatchObject({
    id: world.id,
    seed: 11,
    clock: { mode: 'frozen', now: `${START}.000000Z` },
  })
  expect(dump(world.inside)).toEqual(beginning)
  world.logout()
  expect(await pay(world)).toBe(first)
  expect(await world.available()).toBe(999_900)
})

test('a reset keeps the scenario that is in force', async () => {
  const world = await bench.world()
  await world.control('PUT', '/scenario', { name: 'rich', description: 'A full wallet.', wallets: { KES: 7_000_000 } })
  expect(await world.available()).toBe(1_000_000)
  await world.control('POST', '/reset')
  expect(await world.available()).toBe(7_000_000)
})

test('a restart keeps payments, clocks, scenarios, tokens and what is due', async () => {
  const directory = dataDirectory()
  const receiver = new Receiver()
  await receiver.start()
  const before = await startOn(directory)
  before.worlds.create({ id: 'kept', clock: { mode: 'frozen', startUs: Date.parse(`${START}Z`) * 1000 } })
  const world = before.world('kept')
  await world.control('PUT', '/scenario', { name: 'mine', description: 'The default world by another name.' })
  receiver.answer = 500
  const told = await pay(world, { callbackUrl: receiver.url('/told') })
  await world.advance('3s')
  const waiting = await pay(world, { callbackUrl: receiver.url('/waiting') })
  await world.advance('1s')
  const token = await world.token()
  const stored = dump(world.inside)
  await before.close()
  expect(readdirSync(directory)).toEqual(expect.arrayContaining(['default.db', 'kept.db']))

  const after = await startOn(directory)
  const kept = after.world('kept')
  expect(dump(kept.inside)).toEqual(stored)
  expect(await kept.control('GET', '/clock')).toEqual({
    mode: 'frozen',
    rate: 0,
    now: '2025-01-24T16:28:04.000000Z',
    nextDue: '2025-01-24T16:28:05.000000Z',
    timezone: { name: 'UTC', offsetMinutes: 0 },
  })
  expect((await kept.control('GET', '/scenario')).name).toBe('mine')
  expect((await kept.get('/api/sandbox/v1/bank/payout/all', { token })).status).toBe(200)
  receiver.answer = 200
  expect(await kept.advance('1h')).toMatchObject({ steps: 1, callbacks: { delivered: 2, failed: 0 } })
  for (const uuid of [told, waiting]) {
    const { status, callbacks } = await kept.control('GET', `/payments/${uuid}`)
    expect({ status, told: callbacks[0].state }).toEqual({ status: 'SUCCESS', told: 'delivered' })
  }
  expect(receiver.received.map(({ path }) => path)).toEqual(['/told', '/waiting', '/told'])
  expect(await kept.available()).toBe(999_800)
  await after.close()
  await receiver.stop()
})

test('a running clock goes on while the process is down', async () => {
  const directory = dataDirectory()
  const before = await startOn(directory)
  before.worlds.create({ id: 'running', clock: { mode: 'realtime', startUs: Date.parse(`${START}Z`) * 1000 } })
  const stopped = (await before.world('running').control('GET', '/clock')).now
  await before.close()
  const after = await startOn(directory)
  expect((await after.world('running').control('GET', '/clock')).now > stopped).toBe(true)
})

test('a removed world leaves no file', async () => {
  const directory = dataDirectory()
  const simulator = await startOn(directory)
  simulator.worlds.create({ id: 'gone' })
  expect(readdirSync(directory)).toContain('gone.db')
  simulator.worlds.remove('gone')
  expect(readdirSync(directory).filter((name) => name.startsWith('gone'))).toEqual([])
})

test('a database of another mfano is refused, and left as it is', async () => {
  const directory = dataDirectory()
  await (await startOn(directory)).close()
  const file = join(directory, 'default.db')
  const change = openSqlite(file)
  change.exec("UPDATE meta SET value = '999' WHERE key = 'schema_version'")
  change.close()

  expect(await mfano('--port', '0', '--data', directory).ended).toEqual({
    code: 1,
    errors:
      `mfano: The database ${file} has schema version 999; this mfano knows version ${SCHEMA_VERSION} only. Nothing was changed.\n` +
      'Start the mfano that wrote it, or begin with an empty folder: --data ./data-2 (MFANO_DATA). A scenario and a seed make the same world again.\n',
  })
  const look = openSqlite(file)
  expect(look.prepare<{ value: string }>("SELECT value FROM meta WHERE key = 'schema_version'").get()).toEqual({
    value: '999',
  })
  look.close()
})

test('does not empty a world for a request that means something else', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const answer = await world.raw('POST', '/_mfano/reset', { body: { scenario: 'late-reversal' } })
  expect([answer.status, answer.body.error.details]).toEqual([400, expect.stringContaining('scenario')])
  expect((await world.control('GET', '/payments')).total).toBe(1)
  expect((await world.raw('POST', '/_mfano/reset', { body: {} })).status).toBe(200)
  expect((await world.control('GET', '/payments')).total).toBe(0)
})
