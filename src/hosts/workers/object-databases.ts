/** Where the one world of a Durable Object has its database: in the storage of that object. */
import { copyDatabase, emptyDatabase } from '../../store/copy-database.ts'
import { migrate } from '../../store/migrate.ts'
import type { Sql } from '../../store/sql.ts'
import type { Databases } from '../../world/databases.ts'
import type { MemorySqlite } from './memory-sqlite.ts'
import type { ObjectStorage } from './object-state.ts'
import { storageSql } from './storage-sql.ts'

/** All new databases are copies of one, which is made once in an isolate. */
let empty: Uint8Array | undefined

/** Drafts are in memory. `id`: of the world; `committing`: runs at the end of every transaction of it. */
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
  return {
    list: () => (isStored(open()) ? [id] : []),
    open,
    draft,
    ready: async () => {},
    discard: (unused) => unused.close(),
    put: (_, made, use) =>
      storage.transactionSync(() => {
        const sql = open()
        copyDatabase(made, sql)
        made.close()
        return use(sql)
      }),
    remove: () => emptyDatabase(open()),
  }
}

function emptyImage(memory: MemorySqlite): Uint8Array {
  const sql = memory.open()
  migrate(sql)
  const image = sql.serialize?.() as Uint8Array
  sql.close()
  return image
}

/** Whether a world was made here. */
function isStored(sql: Sql): boolean {
  const has = (text: string) => sql.prepare(text).get() !== undefined
  return has("SELECT 1 FROM sqlite_schema WHERE name = 'meta'") && has("SELECT 1 FROM meta WHERE key = 'origin'")
}
