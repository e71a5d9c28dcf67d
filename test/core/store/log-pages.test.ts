import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'
import { dataDirectory } from '../../support/restart.ts'

test('databases that are equally busy put their logs away at different times', () => {
  const directory = dataDirectory()
  const databases = Array.from({ length: 24 }, (_, i) => openSqlite(join(directory, `${i}.db`), 'process'))
  const pages = databases
    .map((sql) => sql.prepare<{ wal_autocheckpoint: number }>('PRAGMA wal_autocheckpoint').get()?.wal_autocheckpoint)
    .map(Number)
    .sort((one, other) => one - other)
  for (const sql of databases) sql.close(true)

  expect(pages[0]).toBeGreaterThanOrEqual(4_000)
  expect(pages.at(-1)).toBeLessThan(6_000)
  const apart = pages.slice(1).map((each, i) => each - (pages[i] as number))
  expect(Math.min(...apart)).toBeGreaterThan(20)
})
