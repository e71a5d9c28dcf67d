/** Keeps the one world of a Durable Object in the object's storage. */
import { type Databases, using } from '../../../core/host.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { ensureSchema } from '../../../core/schema.ts'
import type { Sql } from '../../../core/sql.ts'
import { copyDatabase, emptyDatabase } from './copy-database.ts'
import type { MemorySqlite } from './memory-sqlite.ts'
import type { ObjectStorage } from './object-state.ts'
import { storageSql } from './storage-sql.ts'

let empty: Uint8Array | undefined

/** Drafts are in memory. `id`: the world's. `committing`: runs at the end of every transaction of the world. */
export function objectDatabases(
  id: string,
  storage: ObjectStorage,
  memory: MemorySqlite,
  committing: () => void,
): Databases {
  const open = () => storageSql(storage, memory, committing)
  const draft = (image?: Uint8Array) => {
    if (image) return memory.open(image)
    empty ??= emptyImage(memory)
    return memory.open(empty)
  }
  const put = <T>(asked: string, made: Sql, use: (sql: Sql) => T): T =>
    storage.transactionSync(() => {
      if (asked !== id) throw elsewhere(asked, id)
      const sql = open()
      using(made, () => copyDatabase(made, sql))
      return use(sql)
    })
  return {
    list: () => (isStored(open()) ? [id] : []),
    open,
    draft,
    put: (asked, image, use) => put(asked, draft(image), use),
    stage: async (asked, image) => {
      const made = draft(image)
      return {
        ask: async <Row>(text: string) => made.prepare<Row>(text).all(),
        open: () => ({ ...made, close: () => {} }),
        put: (use) => put(asked, made, use),
        discard: () => made.close(),
      }
    },
    remove: () => emptyDatabase(open()),
  }
}

function emptyImage(memory: MemorySqlite): Uint8Array {
  const sql = memory.open()
  ensureSchema(sql)
  const image = sql.serialize()
  sql.close()
  return image
}

function elsewhere(asked: string, id: string): Refusal {
  return new Refusal(
    'NOT_SUPPORTED',
    `the world "${asked}" cannot be made by "${id}": on this host each has storage of its own`,
  )
}

function isStored(sql: Sql): boolean {
  const has = (text: string) => sql.prepare(text).get() !== undefined
  return has("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") && has("SELECT 1 FROM meta WHERE key = 'origin'")
}
