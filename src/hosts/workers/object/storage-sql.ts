/** The SQL port on the storage of a Durable Object. */
import { worldClosed } from '../../../core/model/refusal-reasons.ts'
import type { Sql, SqlValue, Statement } from '../../../core/sql.ts'
import { copyDatabase } from './copy-database.ts'
import type { MemorySqlite } from './memory-sqlite.ts'
import type { ObjectStorage } from './object-state.ts'

/** A copy, its bytes and their file are in memory together, and an object has 128 MB. */
const IMAGE_MAX_BYTES = 16 * 1024 ** 2

/** Cloudflare's limit for a value and a row. workerd alone, as on a developer's machine, does not enforce it. */
const VALUE_MAX_BYTES = 2_000_000

/**
 * Nested transactions are savepoints here too. `memory` makes the bytes of a database, which the storage does not give.
 * `committing` runs at the end of every transaction, inside of it.
 */
export function storageSql(storage: ObjectStorage, memory: MemorySqlite, committing: () => void): Sql {
  let closed = false
  let depth = 0
  const rows = <Row>(text: string, values: SqlValue[]) => {
    // Whoever was at work when the world went is told so.
    if (closed) throw worldClosed()
    return storage.sql.exec(text, ...values).toArray() as Row[]
  }
  const sql: Sql = {
    prepare: <Row>(text: string): Statement<Row> => ({
      get: (...values) => rows<Row>(text, values)[0],
      all: (...values) => rows<Row>(text, values),
      run: (...values) => {
        rows(text, values)
      },
    }),
    exec: (script) => {
      rows(script, [])
    },
    transaction: (work) =>
      storage.transactionSync(() => {
        depth++
        try {
          const value = work()
          if (depth === 1) committing()
          return value
        } finally {
          depth--
        }
      }),
    imageMaxBytes: IMAGE_MAX_BYTES,
    valueMaxBytes: VALUE_MAX_BYTES,
    bytes: () => storage.sql.databaseSize,
    serialize: () => {
      const copy = memory.open()
      try {
        copyDatabase(sql, copy)
        return copy.serialize()
      } finally {
        copy.close()
      }
    },
    close: () => {
      closed = true
    },
  }
  return sql
}
