import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Sql } from '../../../src/core/sql.ts'
import { packWorld, unpackWorld, type WorldImage } from '../../../src/core/world-image.ts'
import { openSqlite, openSqliteCopy } from '../../../src/hosts/node/sqlite.ts'
import { answer } from '../../apps/cli/support.ts'
import { payoutTo } from '../../support/bodies.ts'
import fc from '../../support/fast-check.ts'
import { START, type TestWorld, useBench } from '../../support/harness.ts'
import { changedFile, dump } from '../../support/inside.ts'
import { serving } from '../../support/listening.ts'
import { dataDirectory, send, startOn } from '../../support/restart.ts'

// A world goes down and comes up as one file. Whatever is wrong with a file, it is refused, and no world is touched.

const bench = useBench()

const { pay } = bench

const up = (id: string, file: Uint8Array, server = bench.simulator.baseUrl) =>
  send(server, 'PUT', `/_mfano/worlds/${id}/file`, file)

async function down(world: TestWorld, server = bench.simulator.baseUrl): Promise<Uint8Array> {
  const response = await fetch(`${server}/_mfano/worlds/${world.id}/file`)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${world.id}.mfano"`)
  return new Uint8Array(await response.arrayBuffer())
}

test('a world goes down here and comes up elsewhere, as it was', async () => {
  const world = await bench.world({ id: 'shop', seed: 7, scenario: 'slow-rails' })
  await pay(world)
  await world.advance('1s')
  const file = await down(world)
  expect(new TextDecoder().decode(file.subarray(0, 20))).toBe('mfano world 1 sha256')

  const elsewhere = await startOn(':memory:')
  const came = await up('copied', file, elsewhere.baseUrl)
  expect(came).toMatchObject({
    status: 201,
    body: {
      id: 'copied',
      baseUrl: `${elsewhere.baseUrl}/w/copied`,
      seed: 7,
      scenario: 'slow-rails',
      clock: { mode: 'frozen', now: '2025-01-24T16:28:01.000000Z' },
      credentials: { apiKey: 'mfano-key' },
    },
  })
  const copy = elsewhere.world('copied')
  const tables = dump(copy.inside)
  expect({ ...tables, meta: undefined }).toEqual({ ...dump(world.inside), meta: undefined })
  await copy.control('POST', '/callbacks/resume')
  expect(await copy.advance('1h')).toMatchObject({ callbacks: { delivered: 1 } })
})

test('a snapshot is such a file too, and a file takes the place of a world', async () => {
  const world = await bench.world({ id: 'shop' })
  await world.control('POST', '/snapshots', { name: 'empty' })
  await pay(world)
  const response = await fetch(`${world.baseUrl}/_mfano/snapshots/empty/file`)
  const file = new Uint8Array(await response.arrayBuffer())
  expect(await up('shop', file)).toMatchObject({ status: 200, body: { id: 'shop' } })
  expect((await world.control('GET', '/payments')).total).toBe(0)
  expect((await up('default', file)).status).toBe(200)
})

test('behind its two lines a file is a plain SQLite database', async () => {
  const file = await down(await bench.world())
  const second = file.indexOf(10, file.indexOf(10) + 1)
  const sql = openSqliteCopy(file.subarray(second + 1))
  expect(sql.prepare('SELECT count(*) AS n FROM organisation').get()).toEqual({ n: 1 })
  sql.close()
})

describe('a file that is not as it was written is refused', () => {
  let taken: WorldImage
  let file: Uint8Array
  beforeAll(async () => {
    taken = {
      identity: {
        name: 'small',
        note: null,
        world: 'shop',
        scenario: 'default',
        seed: 1,
        now: `${START}.000000Z`,
        clock: { mode: 'frozen', rate: 1 },
        version: '0.1.0',
        schemaVersion: 1,
        bytes: 300,
      },
      image: Uint8Array.from({ length: 300 }, (_, i) => i),
    }
    file = await packWorld(taken)
  })

  test('and one that is, is read', async () => {
    expect(await unpackWorld(file)).toEqual(taken)
  })

  test('wherever a byte is altered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.integer({ min: 1, max: 255 }), async (place, change) => {
        const altered = Uint8Array.from(file)
        const at = place % altered.length
        altered[at] = (altered[at] as number) ^ change
        await expect(unpackWorld(altered)).rejects.toMatchObject({ code: 'BAD_WORLD_FILE' })
      }),
    )
  })

  test('wherever it is cut, and whatever is put behind it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.uint8Array({ minLength: 1, maxLength: 50 }), async (place, more) => {
        await expect(unpackWorld(file.subarray(0, place % file.length))).rejects.toMatchObject({
          code: 'BAD_WORLD_FILE',
        })
        const longer = new Uint8Array([...file, ...more])
        await expect(unpackWorld(longer)).rejects.toMatchObject({ code: 'BAD_WORLD_FILE' })
      }),
    )
  })

  const text = (words: string) => new TextEncoder().encode(words)
  test.each([
    ['nothing', () => text(''), 'it must begin like "mfano world 1 sha256:…", and is empty'],
    ['another file', () => text('<html>'), 'it must begin like "mfano world 1 sha256:…", and begins "<html>"'],
    [
      'a bare database',
      () => openSqlite(':memory:').serialize(),
      /and is a bare database; GET \/_mfano\/worlds\/\{id\}\/file gives/,
    ],
    [
      'a newer format',
      () => text(`mfano world 2 sha256:${'0'.repeat(64)}\n{}`),
      /it has format 2, and this mfano reads format 1/,
    ],
    [
      'half of it',
      () => file.subarray(0, file.length - 150),
      "it is cut short: 150 of its database's 300 bytes are there",
    ],
    [
      'an altered end',
      () => Uint8Array.from([...file.subarray(0, -1), 0]),
      /it was altered or cut short: its checksum/,
    ],
  ])('%s', async (_, make, details) => {
    await expect(unpackWorld(make())).rejects.toMatchObject({
      status: 400,
      details: typeof details === 'string' ? `file: ${details}. Nothing was changed.` : expect.stringMatching(details),
    })
  })
})

describe('a file with the wrong world in it is refused, and the world that is there goes on', () => {
  const COSTLY = 'CHECK (length(hex(zeroblob(50000000))) > 0)'
  /** A table as it is, but for how it is defined. */
  const redefine = (sql: Sql, table: string, change: (definition: string) => string) => {
    const [own = '', ...indices] = sql
      .prepare<{ text: string }>(
        'SELECT sql AS text FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC',
      )
      .all(table)
      .map(({ text }) => text)
    sql.exec(`PRAGMA ignore_check_constraints = ON; CREATE TABLE kept AS SELECT * FROM ${table}; DROP TABLE ${table};
      ${[change(own), ...indices].join(';')}; INSERT INTO ${table} SELECT * FROM kept; DROP TABLE kept`)
  }
  /** A row of any table, as plain as it can be. */
  const addRow = (sql: Sql, table: string) => {
    const columns = sql
      .prepare<{ name: string; type: string }>('SELECT name, type FROM pragma_table_info(?) WHERE "notnull" OR pk')
      .all(table)
    const values = columns.map(({ type }) => (type === 'TEXT' ? "'{}'" : 4711))
    sql.exec(`INSERT INTO ${table} (${columns.map(({ name }) => name)}) VALUES (${values})`)
  }
  const stored = (sql: Sql, key: string) =>
    JSON.parse(sql.prepare<{ value: string }>('SELECT value FROM meta WHERE key = ?').get(key)?.value ?? 'null')
  const store = (sql: Sql, key: string, value: unknown) =>
    sql.prepare('UPDATE meta SET value = ? WHERE key = ?').run(JSON.stringify(value), key)

  test.each<[string, (sql: Sql) => void, RegExp]>([
    [
      'another schema',
      (sql) => store(sql, 'schema_version', 999),
      /schema version 999; this mfano knows version \d+ only/,
    ],
    ['a table of its own', (sql) => sql.exec('CREATE TABLE extra (a)'), /has a table extra, and no world has one/],
    [
      'a trigger',
      (sql) => sql.exec('CREATE TRIGGER sly AFTER INSERT ON payment BEGIN DELETE FROM transfer; END'),
      /has a trigger sly, and no world has one/,
    ],
    ['a table too few', (sql) => sql.exec('DROP TABLE inbox'), /has no (?:table inbox|index inbox_name)/],
    [
      'a costly CHECK',
      (sql) => redefine(sql, 'transfer', (text) => text.replace(/\)$/, `, ${COSTLY})`)),
      /has a table transfer that is defined otherwise than that of a world/,
    ],
    [
      'a costly CHECK, in a shape of the past',
      (sql) => {
        redefine(sql, 'meta', (text) => text.replace(/\)$/, `, ${COSTLY})`))
        store(sql, 'schema_version', 19)
      },
      /has a table meta that is defined otherwise than that of a world/,
    ],
    [
      'an index of something else',
      (sql) => sql.exec('DROP INDEX inbox_name; CREATE INDEX inbox_name ON inbox (id)'),
      /has a index inbox_name that is defined otherwise than that of a world/,
    ],
    [
      'a key of an organisation that is not there',
      (sql) => sql.exec('PRAGMA foreign_keys = OFF; UPDATE credential SET organisationId = 4711'),
      /has a credential of an organisation that is not there/,
    ],
    ['no beginning', (sql) => sql.exec("DELETE FROM meta WHERE key = 'origin'"), /that of a world that never began/],
    ['no JSON', (sql) => sql.exec("UPDATE meta SET value = 'x' WHERE key = 'origin'"), /Unexpected token/],
    [
      'a scenario that is broken',
      (sql) => store(sql, 'scenario', { ...stored(sql, 'scenario'), source: 'rules: 7' }),
      /its scenario cannot be used here: /,
    ],
    [
      'a scenario that wants files of ours',
      (sql) =>
        store(sql, 'scenario', {
          name: 'sly',
          file: '/etc/mfano/a.yaml',
          source: 'name: sly\nextends: ./secret.yaml\n',
        }),
      /its scenario cannot be used here: /,
    ],
  ])('%s', async (_, change, details) => {
    const world = await bench.world({ id: 'shop' })
    await pay(world)
    const file = await changedFile(await down(world), change)
    const before = dump(world.inside)
    for (const id of ['shop', 'new'])
      expect(await up(id, file)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_WORLD_FILE', details: expect.stringMatching(details) } },
      })
    expect(dump(world.inside)).toEqual(before)
    expect(bench.simulator.worlds.ids()).toEqual(['default', 'shop'])
    expect(await world.advance('10s')).toMatchObject({ steps: 1, callbacks: { delivered: 1 } })
  })

  test('damage', async () => {
    const world = await bench.world({ id: 'shop' })
    const { identity, image } = await unpackWorld(await down(world))
    // The header stays; every page behind it is filled with something else.
    const file = await packWorld({ identity, image: image.fill(0x55, 4096) })
    expect((await up('shop', file)).body.error.details).toMatch(/^file: .*(?:malformed|damaged)/)
    const noDatabase = await packWorld({ identity, image: image.fill(0x55) })
    expect((await up('shop', noDatabase)).body.error.details).toMatch(/not a database/)
    expect((await world.control('GET', '/health')).status).toBe('ok')
  })

  test.each(['Upper', 'a.b', 'nul'])('"%s" is no name to bring it up under', async (id) => {
    const file = await down(await bench.world())
    expect(await up(id, file)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FIELD' } } })
  })

  test('keys that are far apart do not hold up those who count', async () => {
    const world = await bench.world({ id: 'shop' })
    await pay(world)
    const file = await changedFile(await down(world), (sql) => {
      addRow(sql, 'callback')
      sql.exec("UPDATE callback SET id = 999999999999, state = 'failed', body = '1', fault = NULL, trace = NULL")
      for (const name of ['callback', 'transfer', 'journal', 'payment'])
        sql.prepare('INSERT OR REPLACE INTO counter VALUES (?, 999999999999)').run(name)
    })
    expect(await up('far', file)).toMatchObject({ status: 201 })
    const far = `${bench.simulator.baseUrl}/w/far/_mfano`
    for (const path of ['callbacks', 'statistics', 'runs', 'ledger', 'payments?kind=till'])
      expect((await fetch(`${far}/${path}`)).status).toBe(200)
    bench.simulator.worlds.remove('far')
  })

  test('one with another first line is refused before the rest is there', async () => {
    const { port } = new URL(bench.simulator.baseUrl)
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-length': String(100 * 1024 ** 2) }
      const sending = request({ port, method: 'PUT', path: '/_mfano/worlds/other/file', headers }, (answer) => {
        resolve(answer.statusCode)
        sending.destroy()
      })
      sending.on('error', reject).write('<html>'.repeat(100))
    })
    expect(status).toBe(400)
  })

  test('too large a file is not even read', async () => {
    const { port } = new URL(bench.simulator.baseUrl)
    const status = await new Promise((resolve, reject) => {
      const headers = { 'content-length': String(2 * 1024 ** 3) }
      request({ port, method: 'PUT', path: '/_mfano/worlds/huge/file', headers }, (answer) =>
        resolve(answer.statusCode),
      )
        .on('error', reject)
        .flushHeaders()
    })
    expect(status).toBe(413)
  })
})

// Kept from a mfano with schema version 22: a world with one paid salary as a file, which is also its snapshot, and its
// capsule. Whatever reads them later must not lead them elsewhere in silence.
describe('of a version before', () => {
  const kept = (name: string) => join(import.meta.dirname, 'before', name)
  const file = gunzipSync(readFileSync(kept('paid.mfano.gz')))
  const refused = /schema version 22; this mfano knows version \d+ only\. .*the mfano that wrote it, or .*scenario and/

  test('a file is refused with what to do', async () => {
    const { status, body } = await up('old', file)
    expect({ status, details: body.error.details }).toEqual({ status: 400, details: expect.stringMatching(refused) })
    expect(bench.simulator.worlds.ids()).not.toContain('old')
  })

  test('a snapshot is listed, and refused with what to do', async () => {
    const directory = dataDirectory()
    mkdirSync(join(directory, 'snapshots/shop'), { recursive: true })
    writeFileSync(join(directory, 'snapshots/shop/paid.mfano'), file)
    const simulator = await startOn(directory)
    simulator.worlds.create({ id: 'shop' })
    const shop = simulator.world('shop')
    expect((await shop.control('GET', '/snapshots')).snapshots).toMatchObject([{ name: 'paid', schemaVersion: 22 }])
    const { status, body } = await shop.raw('POST', '/_mfano/snapshots/paid/restore')
    expect({ status, details: body.error.details }).toEqual({ status: 400, details: expect.stringMatching(refused) })
  })

  test('a world in the data folder keeps nobody from the others, and is refused with what to do', async () => {
    const directory = dataDirectory()
    writeFileSync(join(directory, 'shop.db'), file.subarray(file.indexOf('SQLite format 3')))
    const simulator = await startOn(directory)
    simulator.expectErrors(/looking at a stored world .*schema version 22/)
    const { status, body } = await simulator.world('shop').raw('GET', '/_mfano/health')
    expect({ status, details: body.error.details }).toEqual({
      status: 503,
      details: expect.stringMatching(
        /^.*shop\.db has schema version 22; .* Start the mfano that wrote it, or begin with an empty folder/,
      ),
    })
  })

  test('a capsule is refused with what to do', async () => {
    const { code, errors } = await answer(['replay', kept('paid.capsule')])
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/mfano 0\.1\.0 recorded it .*; use the mfano that recorded it, or record the run again/),
    ])
  })
})

test('removing a world cancels what it was telling, and those who wait in it are told', async () => {
  const world = await bench.world({ id: 'leaving' })
  const called = Promise.withResolvers<void>()
  const hungUp = Promise.withResolvers<void>()
  const endpoint = await serving((_, response) => {
    response.on('close', hungUp.resolve)
    called.resolve()
  })
  await world.post('/api/sandbox/v1/send-money', payoutTo(`${endpoint}/`))
  const advancing = world.raw('POST', '/_mfano/clock/advance', { body: { by: '10s' } })
  const waiting = world.raw('POST', '/_mfano/wait', { body: { for: 'payment', where: 'payment.amount == 7.0' } })
  await called.promise
  bench.simulator.worlds.remove('leaving')
  await hungUp.promise
  expect((await advancing).status).toBe(503)
  expect((await waiting).status).toBe(503)
  expect((await world.raw('GET', '/_mfano/health')).status).toBe(404)
})
