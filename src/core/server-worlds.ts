/** All worlds of a server, for its routes; on some hosts each world is elsewhere. */
import type { ForkRequest, WorldRequest } from './model/new-world.ts'
import type { World } from './world.ts'
import type { WorldSnapshot } from './world-file.ts'
import type { Description } from './worlds.ts'

type Eventual<T> = T | Promise<T>

type Made = Pick<World, 'id'>

export interface ServerWorlds {
  readonly snapshots: ServerSnapshots
  readonly count: Eventual<number>
  ids(): Eventual<string[]>
  has(id: string): Eventual<boolean>
  describe(id: string): Eventual<Description>
  create(request: WorldRequest): Eventual<Made>
  fork(request: ForkRequest): Promise<Made>
  restore(id: string, of: { world: string; name: string }): Promise<Made>
  file(id: string): Promise<Uint8Array>
  putFile(id: string, file: Uint8Array): Promise<Made>
  remove(id: string): Eventual<void>
}

export interface ServerSnapshots {
  list(world?: string): Eventual<WorldSnapshot[]>
  get(world: string, name: string): Eventual<WorldSnapshot>
  file(world: string, name: string): Eventual<Uint8Array>
  remove(world: string, name: string): Eventual<void>
}
