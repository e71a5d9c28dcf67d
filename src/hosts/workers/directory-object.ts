/** The Durable Object that lists the names of worlds. A world's own object knows whether the world exists. */
import { DurableObject } from 'cloudflare:workers'
import { DEFAULT_WORLD, freeName } from '../../core/new-world.ts'
import type { Bindings, ObjectState } from './bindings.ts'

/** `gone`: the world was removed, but its snapshots are still there. */
interface Listed {
  id: string
  gone: number
}

export class DirectoryObject extends DurableObject<Bindings> {
  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env)
    this.#rows('CREATE TABLE IF NOT EXISTS world (id TEXT PRIMARY KEY, gone INTEGER NOT NULL) WITHOUT ROWID')
    this.#rows('CREATE TABLE IF NOT EXISTS below (id TEXT PRIMARY KEY, parent TEXT NOT NULL) WITHOUT ROWID')
    this.#rows('INSERT OR IGNORE INTO world (id, gone) VALUES (?, 0)', DEFAULT_WORLD)
  }

  ids(): string[] {
    return this.#rows('SELECT id, gone FROM world WHERE gone = 0 ORDER BY id <> ?, id', DEFAULT_WORLD).map(
      ({ id }) => id,
    )
  }

  withSnapshots(): string[] {
    return this.#rows('SELECT id, gone FROM world ORDER BY id').map(({ id }) => id)
  }

  add(id: string = this.#freeName()): string {
    this.#rows('INSERT INTO world (id, gone) VALUES (?, 0) ON CONFLICT (id) DO UPDATE SET gone = 0', id)
    return id
  }

  putBelow(parent: string, id: string): void {
    this.#rows('INSERT OR REPLACE INTO below (id, parent) VALUES (?, ?)', id, parent)
  }

  below(parent: string): string[] {
    return this.#rows('SELECT id FROM below WHERE parent = ? ORDER BY id', parent).map(({ id }) => id)
  }

  remove(id: string, leaves: boolean): void {
    this.#rows('DELETE FROM below WHERE id = ?', id)
    if (leaves) this.#rows('UPDATE world SET gone = 1 WHERE id = ?', id)
    else this.#rows('DELETE FROM world WHERE id = ?', id)
  }

  #freeName(): string {
    const { kv } = this.ctx.storage
    const taken = new Set(this.ids())
    const { name, n } = freeName('w', kv.get<number>('named') ?? 0, (one) => taken.has(one))
    kv.put('named', n)
    return name
  }

  #rows(text: string, ...values: string[]): Listed[] {
    return this.ctx.storage.sql.exec(text, ...values).toArray() as Listed[]
  }
}
