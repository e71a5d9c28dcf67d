import { existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { payoutTo } from '../../support/bodies.ts'
import { WITHOUT_ROOM } from '../../support/disk.ts'
import { mfano, mfanoUnder } from '../../support/program.ts'
import { dataDirectory, send, startOn } from '../../support/restart.ts'

const payout = payoutTo('http://127.0.0.1:9/nobody', { amount: 10 })
const frozen = { mode: 'frozen', start: '2025-01-24T16:28:00' }

test.each([
  [[], 1],
  [['--durability', 'process'], 1],
  [['--durability', 'power'], 2],
])(
  'started with %j, worlds wait for the disk as SQLite counts it: %d (1: not with each commit, 2: with each)',
  async (flags, level) => {
    const { world, baseUrl } = await startOn(dataDirectory(), ...flags)
    await send(baseUrl, 'POST', '/_mfano/worlds', { id: 'shop', clock: frozen })
    for (const id of ['default', 'shop'])
      expect(world(id).inside.core.store.sql.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level })
  },
)

test('a data directory that is taken away under a running mfano is noticed, and nothing is promised until it is back', async () => {
  const outer = dataDirectory()
  const directory = join(outer, 'data')
  const { world, expectErrors, baseUrl } = await startOn(directory)
  expect((await send(baseUrl, 'POST', '/_mfano/worlds', { id: 'shop', clock: frozen })).status).toBe(201)
  const shop = world('shop')
  expect((await shop.post('/api/sandbox/v1/send-money', payout)).status).toBe(201)

  renameSync(directory, join(outer, 'elsewhere'))
  expectErrors(
    /default\.db is gone/,
    /shop\.db is gone/,
    /fresh\.db cannot be written/,
    /snapshots.* cannot be written/,
  )
  const gone = {
    status: 503,
    body: {
      error: {
        code: 'SERVICE_UNAVAILABLE',
        details: expect.stringMatching(/\.db is gone \(FILE_GONE\): .*Put it back/),
      },
    },
  }
  expect(await shop.raw('GET', '/_mfano/health')).toMatchObject({
    status: 503,
    body: {
      status: 'degraded',
      failing: [
        { part: 'commits', since: expect.stringMatching(/^20.*Z$/), why: expect.stringMatching(/shop\.db is gone/) },
      ],
    },
  })
  expect(await shop.post('/api/sandbox/v1/send-money', payout)).toMatchObject(gone)
  expect(await shop.raw('POST', '/_mfano/clock/advance', { body: { by: '1h' } })).toMatchObject(gone)
  expect(await send(baseUrl, 'POST', '/_mfano/worlds', { id: 'fresh' })).toMatchObject({
    status: 503,
    body: {
      error: { details: expect.stringMatching(/fresh\.db cannot be written \(ENOENT\): its directory was removed/) },
    },
  })
  expect((await shop.raw('POST', '/_mfano/snapshots', { body: { name: 'a' } })).status).toBe(503)
  expect(existsSync(directory)).toBe(false)

  renameSync(join(outer, 'elsewhere'), directory)
  expect(await shop.control('GET', '/health')).toMatchObject({ status: 'ok', failing: [] })
  expect((await shop.post('/api/sandbox/v1/send-money', payout)).status).toBe(201)
  expect((await shop.control('GET', '/payments')).payments).toHaveLength(2)
})

test('a database that was replaced under a running mfano is noticed too, and a reset begins anew', async () => {
  const directory = dataDirectory()
  const { world, expectErrors } = await startOn(directory)
  const main = world('default')
  await main.token()
  rmSync(join(directory, 'default.db'))
  writeFileSync(join(directory, 'default.db'), '')
  expectErrors(/default\.db is gone/)
  expect((await main.post('/api/sandbox/v1/send-money', payout)).status).toBe(503)
  rmSync(join(directory, 'default.db'))
  await main.control('POST', '/reset')
  expect(await main.control('GET', '/health')).toMatchObject({ status: 'ok' })
  main.logout()
  expect((await main.post('/api/sandbox/v1/send-money', payout)).status).toBe(201)
})

const begin = async (directory: string) => {
  const { world, close, baseUrl } = await startOn(directory)
  await send(baseUrl, 'POST', '/_mfano/worlds', { id: 'shop', clock: frozen })
  for (let i = 0; i < 3; i++) await world('shop').post('/api/sandbox/v1/send-money', payout)
  await close()
}

test('a start with a directory in the place of the default world says where, what, why and what to do', async () => {
  const directory = dataDirectory()
  await begin(directory)
  rmSync(join(directory, 'default.db'))
  mkdirSync(join(directory, 'default.db'))
  const { code, errors } = await mfano('--port', '0', '--data', directory).ended
  expect(errors).toMatch(
    /^mfano: \S*default\.db cannot be opened \(SQLITE_CANTOPEN\w*\): it is no file.*\nLook at it with ls -ld/,
  )
  expect(code).toBe(1)
})

test('damage that is met later is told by whatever meets it, and by nothing else', async () => {
  const directory = dataDirectory()
  await begin(directory)
  const file = join(directory, 'shop.db')
  const sql = openSqlite(file)
  const page = sql.prepare<{ rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = 'payment'").get()
  sql.close()
  writeSync(openSync(file, 'r+'), Buffer.alloc(4096, 0xff), 0, 4096, ((page?.rootpage ?? 0) - 1) * 4096)

  const { world, expectErrors } = await startOn(directory)
  expectErrors(/shop\.db is damaged/)
  expect(await world('shop').raw('GET', '/_mfano/payments')).toMatchObject({
    status: 503,
    body: { error: { details: expect.stringMatching(/shop\.db is damaged \(SQLITE_CORRUPT\w*\): .*Put a copy back/) } },
  })
  expect((await world('default').post('/api/sandbox/v1/send-money', payout)).status).toBe(201)
})

test('a scenario that a full disk does not take ends the start, and says why', async () => {
  const directory = dataDirectory()
  await begin(directory)
  const flags = ['--port', '0', '--data', directory]
  const { code, errors } = await mfanoUnder(WITHOUT_ROOM, ...flags, '--scenario', 'flaky-rail').ended
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/^mfano: \S*default\.db cannot be .*\(SQLITE_\w+\): .*\n.*tries again.*\n$/),
  })
  // Without one there is nothing to store, and what is stored is served.
  const started = mfanoUnder(WITHOUT_ROOM, ...flags)
  const { baseUrl } = await started.ready()
  expect((await fetch(`${baseUrl}/w/shop/_mfano/payments`)).status).toBe(200)
})

test('a start in a new directory without any room says why, too', async () => {
  const { code, errors } = await mfanoUnder(WITHOUT_ROOM, '--port', '0', '--data', dataDirectory()).ended
  expect(errors).toMatch(/^mfano: \S*default\.db cannot be read or written \(EFBIG\): .*\nLook at the disk/)
  expect(code).toBe(1)
})
