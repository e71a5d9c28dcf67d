/** What is kept in memory, and what does not fit there. */
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { openSqlite } from '../../../src/hosts/node/sqlite.ts'

/** More than SQLite's cache. */
const ROWS = 64
const ROW = 'x'.repeat(500_000)

afterEach(() => vi.unstubAllEnvs())

function filled() {
  const sql = openSqlite(':memory:')
  sql.exec('CREATE TABLE big (n INTEGER PRIMARY KEY, text TEXT NOT NULL)')
  const insert = sql.prepare('INSERT INTO big (n, text) VALUES (?, ?)')
  for (let n = 1; n <= ROWS; n++) sql.transaction(() => insert.run(n, ROW))
  return sql
}

function sizes(sql: ReturnType<typeof filled>): unknown {
  return sql.prepare('SELECT count(*) AS rows, sum(length(text)) AS size FROM big').get()
}

/** Temporary files of SQLite that have no name any more, and are open in this process. */
function nameless(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(join('/proc/self/fd', fd))
      return /\/(#\d+|etilqs_\w+) \(deleted\)$/.test(file) ? [file] : []
    } catch {
      return []
    }
  })
}

it('has what its cache does not hold in a file without a name, which goes with it', () => {
  const before = nameless()
  const sql = filled()
  expect(nameless()).toHaveLength(before.length + 1)
  expect(sizes(sql)).toEqual({ rows: ROWS, size: ROWS * ROW.length })
  expect(() =>
    sql.transaction(() => {
      sql.exec('DELETE FROM big')
      throw new Error('taken back')
    }),
  ).toThrow('taken back')
  expect(sizes(sql)).toEqual({ rows: ROWS, size: ROWS * ROW.length })
  sql.close()
  expect(nameless()).toEqual(before)
})

it('has all of it in memory where no file can be made', () => {
  vi.stubEnv('TMPDIR', '/nowhere')
  const before = nameless()
  const sql = filled()
  expect(nameless()).toEqual(before)
  expect(sizes(sql)).toEqual({ rows: ROWS, size: ROWS * ROW.length })
  sql.close()
})
