/** The Durable Object that knows which worlds there are: their names, and no more. Whether one is there, its own object knows. */
import { DurableObject } from 'cloudflare:workers'
import { DEFAULT_WORLD, freeName } from '../../core/model/world-name.ts'
import type { Bindings } from './bindings.ts'
import type { ObjectState } from './object/object-state.ts'

/** A name in the list: a world, or one that is gone and whose snapshots are still there. */
interface Listed {
  id: string
  gone: number
}

/** The list of worlds. The default one is always on it. */
export class DirectoryObject extends DurableObject<Bindings> {
  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env)
    this.#rows('CREATE TABLE IF NOT EXISTS world (id TEXT PRIMARY KEY, gone INTEGER NOT NULL) WITHOUT ROWID')
    this.#rows('INSERT OR IGNORE INTO world (id, gone) VALUES (?, 0)', DEFAULT_WORLD)
  }

  /** The worlds, the default one first. */
  ids(): string[] {
    return this.#rows('SELECT id, gone FROM world WHERE gone = 0 ORDER BY id <> ?, id', DEFAULT_WORLD).map(
      ({ id }) => id,
    )
  }

  /** All that may have snapshots. */
  withSnapshots(): string[] {
    return this.#rows('SELECT id, gone FROM world ORDER BY id').map(({ id }) => id)
  }

  /** Puts a world on the list; a name that is free is made up where none is given. Gives the name. */
  add(id: string = this.#freeName()): string {
    this.#rows('INSERT INTO world (id, gone) VALUES (?, 0) ON CONFLICT (id) DO UPDATE SET gone = 0', id)
    return id
  }

  /** Takes a world off the list. `leaves`: its snapshots are still there. */
  remove(id: string, leaves: boolean): void {
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
