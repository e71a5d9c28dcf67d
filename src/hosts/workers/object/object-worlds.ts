import type { SnapshotStore } from '../../../core/host.ts'
import { errorOf } from '../../../core/model/must.ts'
import { ScenarioError } from '../../../core/model/problems.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import {
  DEFAULT_WORLD,
  type ForkRequest,
  findSource,
  isWorldName,
  noSuchWorld,
  requireName,
  type WorldRequest,
} from '../../../core/new-world.ts'
import { unpackWorld } from '../../../core/world-image.ts'
import type { ServerSnapshots, ServerWorlds, Worlds } from '../../../core/worlds.ts'
import { joined } from '../../../http/read-body.ts'
import type { Bindings, ObjectStorage, Reply } from '../bindings.ts'

type Answer<Q extends Question> = Awaited<ReturnType<WorldDoor[Q]>>
type AskWorld = <Q extends Question>(id: string, question: Q, ...given: Parameters<WorldDoor[Q]>) => Promise<Answer<Q>>

function askObjects({ WORLDS }: Bindings): AskWorld {
  return async <Q extends Question>(id: string, question: Q, ...given: Parameters<WorldDoor[Q]>): Promise<Answer<Q>> =>
    replyValue(await WORLDS.get(WORLDS.idFromName(id)).ask(question, given)) as Answer<Q>
}

export function directoryOf({ DIRECTORY }: Bindings) {
  return DIRECTORY.get(DIRECTORY.idFromName('directory'))
}

/**
 * The directory lists names; each world's own object knows everything else. A name is listed before its world is made,
 * so that none is lost. `own`: the only world of this object.
 */
export class ObjectWorlds implements ServerWorlds {
  readonly #own: Worlds
  readonly #ask: AskWorld
  readonly #directory: ReturnType<typeof directoryOf>

  constructor(own: Worlds, env: Bindings) {
    this.#own = own
    this.#ask = askObjects(env)
    this.#directory = directoryOf(env)
  }

  get count(): Promise<number> {
    return this.ids().then(({ length }) => length)
  }

  ids(): Promise<string[]> {
    return this.#directory.ids()
  }

  async has(id: string): Promise<boolean> {
    return isWorldName(id) && (this.#own.has(id) || this.#ask(id, 'has'))
  }

  async describe(id: string) {
    return this.#own.has(id) ? this.#own.describe(id) : this.#askDoor(id, 'describe')
  }

  create(request: WorldRequest): Promise<{ id: string }> {
    return this.#makeNamed(request.id, (id) => this.#ask(id, 'create', request))
  }

  async fork({ from, id: asked, ...change }: ForkRequest): Promise<{ id: string }> {
    const [ids, snapshots] = await Promise.all([this.ids(), this.#allSnapshots()])
    const worlds = { has: (id: string) => ids.includes(id), ids: () => ids }
    const { world, snapshot } = findSource(from, worlds, { names: () => snapshots })
    const file = snapshot === undefined ? await this.file(world) : await this.snapshots.file(world, snapshot)
    return this.#makeNamed(asked, (id) => this.#ask(id, 'goOn', change, file))
  }

  async restore(id: string, of: { world: string; name: string }): Promise<{ id: string }> {
    if (of.world === id) return this.#own.restore(id, of)
    return this.#own.restoreFrom(id, await unpackWorld(await this.snapshots.file(of.world, of.name)))
  }

  async file(id: string): Promise<Uint8Array> {
    return this.#own.has(id) ? this.#own.file(id) : this.#askDoor(id, 'file')
  }

  async putFile(id: string, file: Uint8Array): Promise<{ id: string }> {
    requireName('id', id)
    if (this.#own.has(id)) return this.#own.putFile(id, file)
    return this.#makeNamed(id, () => this.#ask(id, 'putFile', file))
  }

  async remove(id: string): Promise<void> {
    // The default one says why it cannot go.
    if (id === DEFAULT_WORLD) return this.#own.remove(id)
    // Its object may have been ended before it had made the world, which leaves a name.
    const isUnmade = !(await this.has(id)) && (await this.ids()).includes(id)
    const leaves = isUnmade ? (await this.#ask(id, 'snapshots')).length > 0 : await this.#askDoor(id, 'remove')
    await this.#directory.remove(id, leaves)
  }

  async putBelow(parent: string, id: string): Promise<void> {
    await this.#directory.putBelow(parent, id)
  }

  below(parent: string): Promise<string[]> {
    return this.#directory.below(parent)
  }

  readonly snapshots: ServerSnapshots = {
    list: async (world) => (world === undefined ? this.#allSnapshots() : this.#ask(world, 'snapshots')),
    file: async (world, name) => this.#ofWorld(world, (id) => this.#ask(id, 'snapshotFile', name)),
    remove: (world, name) =>
      this.#ofWorld(world, async (id) => {
        if (!(await this.#ask(id, 'removeSnapshot', name))) await this.#directory.remove(id, false)
      }),
  }

  async #allSnapshots() {
    const names = await this.#directory.withSnapshots()
    return (await Promise.all(names.map((id) => this.#ask(id, 'snapshots')))).flat()
  }

  /** No object is asked about an impossible name: this one answers that the snapshot does not exist. */
  #ofWorld<T>(world: string, ask: (id: string) => Promise<T>): Promise<T> {
    return ask(isWorldName(world) ? world : DEFAULT_WORLD)
  }

  async #askDoor<Q extends Question>(id: string, question: Q, ...given: Parameters<WorldDoor[Q]>): Promise<Answer<Q>> {
    if (isWorldName(id) && (await this.#ask(id, 'has'))) return this.#ask(id, question, ...given)
    throw noSuchWorld(id, await this.ids())
  }

  /** Makes a world under a name that is listed first. Removes the name when making fails. */
  async #makeNamed(asked: string | undefined, make: (id: string) => Promise<void>): Promise<{ id: string }> {
    if (asked !== undefined) requireName('id', asked)
    const id = await this.#directory.add(asked)
    try {
      await make(id)
      return { id }
    } catch (error) {
      const isThere = await this.#ask(id, 'has')
      if (!isThere) await this.#directory.remove(id, (await this.#ask(id, 'snapshots')).length > 0)
      throw error
    }
  }
}

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

/** Every question that another object may ask. Files travel as bytes, of which a call takes 32 MB. */
export function worldDoor(id: string, worlds: Worlds) {
  return {
    has: () => worlds.has(id),
    describe: () => worlds.describe(id),
    create: (request: WorldRequest) => {
      worlds.create({ ...request, id })
    },
    goOn: async (change: Omit<ForkRequest, 'from' | 'id'>, file: Uint8Array) => {
      await worlds.resumeFrom({ ...change, id }, await unpackWorld(file))
    },
    file: () => worlds.file(id),
    putFile: async (file: Uint8Array) => {
      await worlds.putFile(id, file)
    },
    remove: () => {
      worlds.remove(id)
      return worlds.snapshots.names().length > 0
    },
    snapshots: () => worlds.snapshots.list(),
    snapshotFile: (name: string) => worlds.snapshots.file(id, name),
    removeSnapshot: (name: string) => {
      worlds.snapshots.remove(id, name)
      return worlds.has(id) || worlds.snapshots.names().length > 0
    },
  }
}
export type WorldDoor = ReturnType<typeof worldDoor>
export type Question = keyof WorldDoor

export async function reply(door: WorldDoor, question: Question, given: readonly unknown[]): Promise<Reply> {
  try {
    const answer = door[question] as (...given: readonly unknown[]) => unknown
    return { value: await answer(...given) }
  } catch (error) {
    if (error instanceof ScenarioError) return { problems: error.problems }
    if (!(error instanceof Refusal)) return { failed: errorOf(error).message }
    const { code, details, status, message, hints } = error
    return { refused: { code, details, status, message, hints } }
  }
}

function replyValue(answer: Reply): unknown {
  if ('value' in answer) return answer.value
  if ('problems' in answer) throw new ScenarioError(answer.problems)
  if ('failed' in answer) throw new Error(answer.failed)
  const { code, details, ...rest } = answer.refused
  throw Refusal.withCode(code, details, rest)
}
