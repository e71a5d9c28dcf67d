import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpackWorld } from '../../../src/core/world-image.ts'
import { openSqlite, openSqliteCopy } from '../../../src/hosts/node/sqlite.ts'
import { payoutTo } from '../../support/bodies.ts'
import { quarter, quarters } from '../../support/fast-check.ts'
import { START } from '../../support/harness.ts'
import { changedFile } from '../../support/inside.ts'
import { dataDirectory, fileOf, send, startOn } from '../../support/restart.ts'

// A world whose database holds nonsense: as a file it is refused before it replaces anything, and where it is stored
// already it keeps nobody from the others, and can be reset, replaced and removed.

type Server = Awaited<ReturnType<typeof startOn>>

const ask = ({ baseUrl }: Server, method: string, path: string, body?: unknown) =>
  send(baseUrl, method, `/_mfano${path}`, body)

const frozen = { mode: 'frozen', start: START }
const payout = payoutTo('http://127.0.0.1:9/nobody')

/** A server with the worlds default and shop, each with a payment that waits and a message in an inbox. */
async function prepared(directory: string): Promise<Server> {
  const server = await startOn(directory)
  await ask(server, 'POST', '/worlds', { id: 'shop', clock: frozen, seed: 7, scenario: 'slow-rails' })
  for (const id of ['default', 'shop']) {
    const world = server.world(id)
    const base = id === 'default' ? server.baseUrl : world.baseUrl
    const callbackUrl = `${base}/_mfano/inbox/told`
    expect((await server.world('shop').post('/api/sandbox/v1/send-money', { ...payout, callbackUrl })).status).toBe(201)
    await fetch(callbackUrl, { method: 'POST', body: '{}' })
  }
  return server
}

/** Every single thing that a world's database holds, put to something else. */
function nonsense(file: { image: Uint8Array }): string[] {
  const sql = openSqliteCopy(file.image)
  const columns = sql
    .prepare<{ owner: string; name: string }>(
      `SELECT owner.name AS owner, own.name AS name
       FROM sqlite_schema AS owner JOIN pragma_table_xinfo(owner.name) AS own WHERE owner.type = 'table'`,
    )
    .all()
  const keys = sql.prepare<{ key: string }>('SELECT key FROM meta').all()
  sql.close()
  return [
    ...keys.flatMap(({ key }) =>
      ['', 'x', '7', 'null', '{}', '[]', '{"seed":"x","clock":7,"scenario":[]}'].map(
        (value) => `UPDATE meta SET value = '${value}' WHERE key = '${key}'`,
      ),
    ),
    ...columns
      .filter(({ owner }) => owner !== 'meta')
      .flatMap(({ owner, name }) => [`'x'`, '-1', '9e999'].map((value) => `UPDATE ${owner} SET ${name} = ${value}`)),
    ...['uuid', 'request', 'callbackUrl', 'plan', 'plan.end'].flatMap((field) =>
      [`json_set(opened, '$.${field}', 7)`, `json_remove(opened, '$.${field}')`].map(
        (json) => `UPDATE payment SET opened = ${json}`,
      ),
    ),
    ...['requestHeaders', 'notes'].map((column) => `UPDATE journal SET ${column} = '[7]'`),
  ]
}

test.each(quarters)('whatever nonsense is in a file, other worlds go on, quarter %d', async (turn) => {
  const server = await prepared(':memory:')
  const good = await fileOf(server.baseUrl, 'shop')
  const whole = nonsense(await unpackWorld(good))
  expect(whole.length).toBeGreaterThan(250)
  let refused = 0
  for (const spoil of quarter(whole, turn)) {
    let file: Uint8Array
    try {
      file = await changedFile(good, (sql) => sql.exec(spoil))
    } catch {
      // SQLite itself does not take it.
      continue
    }
    const { status, body } = await ask(server, 'PUT', '/worlds/shop/file', file)
    expect([spoil, status, body]).toEqual([spoil, status === 400 ? 400 : 200, body])
    if (status === 400) {
      refused++
      expect([spoil, body.error.code]).toEqual([spoil, 'BAD_WORLD_FILE'])
      continue
    }
    await server.world('shop').raw('POST', '/_mfano/clock/advance', { body: { by: '1h' } })
    server.errors.splice(0)
    expect([spoil, (await ask(server, 'GET', '/payments')).body.total]).toEqual([spoil, 0])
    expect([spoil, (await ask(server, 'GET', '/health')).status]).toEqual([spoil, 200])
    expect([spoil, (await ask(server, 'PUT', '/worlds/shop/file', good)).status]).toEqual([spoil, 200])
  }
  expect(refused).toBeGreaterThan(0)
})

test('a start with worlds that cannot be read serves the others, and says which and why', async () => {
  const directory = dataDirectory()
  const before = await prepared(directory)
  await ask(before, 'POST', '/worlds', { id: 'garbled', clock: frozen })
  const good = await fileOf(before.baseUrl, 'garbled')
  await before.close()
  const change = openSqlite(join(directory, 'default.db'))
  change.exec(`UPDATE meta SET value = '{"seed":"x"}' WHERE key = 'origin'`)
  change.close()
  writeFileSync(join(directory, 'garbled.db'), 'no database at all '.repeat(500))

  const after = await startOn(directory)
  const { worlds } = (await ask(after, 'GET', '/worlds')).body
  expect(worlds).toEqual([
    { id: 'default', baseUrl: after.baseUrl, problem: expect.stringContaining('its origin.') },
    {
      id: 'garbled',
      baseUrl: `${after.baseUrl}/w/garbled`,
      problem: expect.stringContaining('is no SQLite database'),
    },
    expect.objectContaining({ id: 'shop', scenario: 'slow-rails' }),
  ])
  expect(after.errors.splice(0)).toEqual([
    expect.stringMatching(
      /opening the default world, which is not served until it is reset or replaced .*its origin\./,
    ),
    expect.stringMatching(/looking at a stored world .*is no SQLite database/),
  ])
  expect((await after.world('shop').control('GET', '/payments')).total).toBe(2)
  for (const path of ['/_mfano/health', '/api/v1/get-token'])
    expect(await (await fetch(after.baseUrl + path)).json()).toMatchObject({
      error: {
        code: 'WORLD_UNREADABLE',
        details: expect.stringContaining('the world "default" is stored, and cannot'),
      },
    })

  // Whatever made it so, it can be begun again, and replaced.
  expect(await ask(after, 'POST', '/reset')).toMatchObject({
    status: 200,
    body: { id: 'default', scenario: 'default' },
  })
  expect(await ask(after, 'PUT', '/worlds/garbled/file', good)).toMatchObject({ status: 200, body: { id: 'garbled' } })
  expect((await ask(after, 'GET', '/health')).status).toBe(200)
  expect((await after.world('garbled').control('GET', '/payments')).total).toBe(0)
  await after.close()
  expect((await ask(await startOn(directory), 'GET', '/worlds')).body.worlds).toHaveLength(3)
})
