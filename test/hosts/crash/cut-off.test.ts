/** A large file that is cut off while it is copied: the copy fails with a reason, and does not wait for ever. */
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { FileImage } from '../../../src/hosts/node/storage/file-image.ts'
import { folder } from '../../apps/cli/support.ts'

it('says that the file is damaged', async () => {
  const file = join(folder(), 'large.db')
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (body); INSERT INTO kept VALUES (zeroblob(20000000))')
  const image = new FileImage(db, file, 1000)
  expect((await image.take()).length).toBeGreaterThan(20_000_000)
  const taken = image.take()
  truncateSync(file, 6_000_000)
  await expect(taken).rejects.toMatchObject({ problem: { what: `${file} is damaged` } })
  db.close()
  image.end()
})
