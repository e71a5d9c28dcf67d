import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpackWorld } from '../../../src/core/world-image.ts'
import { storage } from '../../../src/hosts/node/storage/files.ts'
import { payoutTo } from '../../support/bodies.ts'
import { START } from '../../support/harness.ts'
import { mfano } from '../../support/program.ts'
import { dataDirectory, fileOf, send, startOn } from '../../support/restart.ts'

// What storage does to worlds: a world is made or replaced as a whole or, when the storage fails, not at all.

const frozen = { mode: 'frozen', start: START }
const payout = payoutTo('http://127.0.0.1:9/nobody')

/** No database of that name can be opened until it is gone: SQLite finds a directory where it keeps its journal. */
function obstruct(directory: string, id: string): () => void {
  const journal = join(directory, `${id}.db-journal`)
  mkdirSync(journal)
  return () => rmdirSync(journal)
}

test('a world that could not be made is none, now and after a restart', async () => {
  const directory = dataDirectory()
  const before = await startOn(directory)
  const clear = obstruct(directory, 'stillborn')
  const made = await send(before.baseUrl, 'POST', '/_mfano/worlds', { id: 'stillborn', clock: frozen })
  expect(made.status).toBe(503)
  expect(before.errors.splice(0)).toEqual([expect.stringContaining('POST /_mfano/worlds')])
  clear()
  expect(readdirSync(directory).filter((name) => name.startsWith('stillborn'))).toEqual([])
  expect((await before.world('stillborn').raw('GET', '/_mfano/health')).status).toBe(404)
  await before.close()

  const after = await startOn(directory)
  expect(after.worlds.ids()).toEqual(['default'])
  const again = await send(after.baseUrl, 'POST', '/_mfano/worlds', { id: 'stillborn', clock: frozen })
  expect(again.status).toBe(201)
})

test('a world that could not be replaced is what it was', async () => {
  const directory = dataDirectory()
  const before = await startOn(directory)
  await send(before.baseUrl, 'POST', '/_mfano/worlds', { id: 'shop', clock: frozen })
  const empty = await fileOf(before.baseUrl, 'shop')
  const shop = before.world('shop')
  expect((await shop.post('/api/sandbox/v1/send-money', payout)).status).toBe(201)

  const clear = obstruct(directory, 'shop')
  expect((await send(before.baseUrl, 'PUT', '/_mfano/worlds/shop/file', empty)).status).toBe(503)
  expect(before.errors.splice(0)).toContainEqual(expect.stringContaining('PUT /_mfano/worlds/shop/file'))
  clear()
  expect((await shop.control('GET', '/payments')).total).toBe(1)
  await before.close()
  expect(readdirSync(directory).filter((name) => name.startsWith('shop'))).toEqual(['shop.db'])
  expect((await (await startOn(directory)).world('shop').control('GET', '/payments')).total).toBe(1)
})

test('of a world that was being made or replaced when the process died, what was there before counts', async () => {
  const directory = dataDirectory()
  const at = (name: string) => join(directory, name)
  const before = await startOn(directory)
  for (const id of ['shop', 'other']) await send(before.baseUrl, 'POST', '/_mfano/worlds', { id, clock: frozen })
  const shop = before.world('shop')
  expect((await shop.post('/api/sandbox/v1/send-money', payout)).status).toBe(201)
  await before.close()
  // Replaced by one that had just begun, of which a part is in the log; and by one of which half was written.
  copyFileSync(at('shop.db'), at('shop.db.before'))
  copyFileSync(at('other.db'), at('shop.db'))
  writeFileSync(at('shop.db-wal'), 'a log')
  renameSync(at('other.db'), at('other.db.before'))
  writeFileSync(at('other.db'), 'SQLite fo')
  // Nothing stood where this one was made.
  copyFileSync(at('shop.db.before'), at('stillborn.db'))
  writeFileSync(at('stillborn.db.before'), '')
  // It was given up before a byte of it was written.
  writeFileSync(at('early.db.before'), '')

  const after = await startOn(directory)
  expect(after.worlds.ids()).toEqual(['default', 'other', 'shop'])
  expect((await after.world('shop').control('GET', '/payments')).total).toBe(1)
  expect((await after.world('other').control('GET', '/payments')).total).toBe(0)
  expect(readdirSync(directory).filter((name) => name.endsWith('.before'))).toEqual([])
})

test('a world that was killed is replaced before anybody opens it', async () => {
  const directory = dataDirectory()
  const program = mfano('--port', '0', '--data', directory)
  const { baseUrl, credentials } = await program.ready()
  for (const id of ['shop', 'other']) await send(baseUrl, 'POST', '/_mfano/worlds', { id, clock: frozen })
  const empty = await fileOf(baseUrl, 'shop')
  for (const id of ['shop', 'other']) {
    const { body } = await send(`${baseUrl}/w/${id}`, 'POST', '/api/v1/get-token', credentials)
    const paid = await send(`${baseUrl}/w/${id}`, 'POST', '/api/sandbox/v1/send-money', payout, body.data.access_token)
    expect(paid.status).toBe(201)
  }
  await program.kill()
  expect(existsSync(join(directory, 'shop.db-wal'))).toBe(true)

  // A server looks at its worlds one after the other; this is what it does when the file comes before that.
  const { databases } = storage(directory, 'process')
  const { image } = await unpackWorld(empty)
  databases.put('shop', image, (sql) => sql).close()
  const after = await startOn(directory)
  expect((await send(after.baseUrl, 'PUT', '/_mfano/worlds/other/file', empty)).status).toBe(200)
  expect((await after.world('shop').control('GET', '/payments')).total).toBe(0)
  expect((await after.world('other').control('GET', '/payments')).total).toBe(0)
})
