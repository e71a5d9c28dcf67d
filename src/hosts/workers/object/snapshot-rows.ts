/** Snapshots in a Durable Object's storage, where a value has at most 2 MB. */
import type { SnapshotStore } from '../../../core/host.ts'
import type { ObjectStorage } from './object-state.ts'

const PIECE_BYTES = 1024 ** 2

/** The prefix keeps these tables when the world is replaced or removed. */
const TABLES = `
CREATE TABLE IF NOT EXISTS _snapshot (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS _snapshot_piece (
  name TEXT NOT NULL, n INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (name, n)
) WITHOUT ROWID`

/** `world`: the only one of which there are any here. */
export function snapshotRows(world: string, storage: ObjectStorage): SnapshotStore {
  const rows = <Row>(text: string, ...values: (string | number | ArrayBuffer)[]) =>
    storage.sql.exec(text, ...values).toArray() as Row[]
  const isThere = () => rows("SELECT 1 FROM sqlite_schema WHERE name = '_snapshot'").length > 0
  const has = (name: string) => isThere() && rows('SELECT 1 FROM _snapshot WHERE name = ?', name).length > 0
  const remove = (name: string) => {
    rows('DELETE FROM _snapshot_piece WHERE name = ?', name)
    rows('DELETE FROM _snapshot WHERE name = ?', name)
  }
  return {
    list: (whose = world) =>
      whose === world && isThere()
        ? rows<{ name: string }>('SELECT name FROM _snapshot').map(({ name }) => ({ world, name }))
        : [],
    read: (whose, name, limit = Number.POSITIVE_INFINITY) => {
      if (whose !== world || !has(name)) return undefined
      const pieces = rows<{ bytes: ArrayBuffer }>(
        'SELECT bytes FROM _snapshot_piece WHERE name = ? AND n < ? ORDER BY n',
        name,
        Math.ceil(Math.min(limit, Number.MAX_SAFE_INTEGER) / PIECE_BYTES),
      )
      return joined(pieces.map(({ bytes }) => new Uint8Array(bytes))).subarray(0, limit)
    },
    write: async (_, name, file) =>
      storage.transactionSync(() => {
        rows(TABLES)
        remove(name)
        rows('INSERT INTO _snapshot (name) VALUES (?)', name)
        for (let n = 0; n * PIECE_BYTES < file.length; n++) {
          const piece = file.slice(n * PIECE_BYTES, (n + 1) * PIECE_BYTES).buffer
          rows('INSERT INTO _snapshot_piece (name, n, bytes) VALUES (?, ?, ?)', name, n, piece)
        }
      }),
    remove: (_, name) => storage.transactionSync(() => remove(name)),
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
