import type { SnapshotStore } from '../host.ts'
import { didYouMean, hintOf } from '../model/problems.ts'
import { Refusal } from '../model/refusal.ts'
import { freeName, isWorldName, requireName } from '../new-world.ts'
import type { World } from '../world.ts'
import {
  fileOf,
  HEAD_MAX_BYTES,
  readIdentity,
  unpackWorld,
  type WorldImage,
  type WorldSnapshot,
} from '../world-image.ts'

/** Each has the id of its world and a name. They outlive their worlds. */
export class Snapshots {
  readonly #snapshotStore: SnapshotStore
  readonly #version: string
  readonly #promised = new Set<string>()

  constructor(snapshotStore: SnapshotStore, version: string) {
    this.#snapshotStore = snapshotStore
    this.#version = version
  }

  async save(
    world: World,
    { name = this.#freeName(world.id), note, replace = false }: { name?: string; note?: string; replace?: boolean },
  ): Promise<WorldSnapshot> {
    requireName('name', name)
    if (!replace && this.#isTaken(world.id, name))
      throw new Refusal(
        'SNAPSHOT_EXISTS',
        `There is a snapshot "${name}" of the world "${world.id}" already. Choose another name, or`,
        { hints: [hintOf('{} to replace it.', 'snapshot.save', { name, replace: true })] },
      )
    const key = `${world.id}/${name}`
    this.#promised.add(key)
    try {
      const { identity, file } = await fileOf(world, this.#version, { name, ...(note !== undefined && { note }) })
      await this.#snapshotStore.write(world.id, name, file)
      return { world: world.id, name, identity }
    } finally {
      this.#promised.delete(key)
    }
  }

  list(world?: string): WorldSnapshot[] {
    return this.names(world).map((one) => {
      const head = this.#snapshotStore.read(one.world, one.name, HEAD_MAX_BYTES)
      return { ...one, identity: head && readIdentity(head) }
    })
  }

  /** Without opening files, because there can be many. */
  names(world?: string): { world: string; name: string }[] {
    return this.#snapshotStore
      .list(world)
      .filter((one) => isWorldName(one.world) && isWorldName(one.name))
      .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }

  image(world: string, name: string): Promise<WorldImage> {
    return unpackWorld(this.file(world, name))
  }

  remove(world: string, name: string): void {
    this.file(world, name, 0)
    this.#snapshotStore.remove(world, name)
  }

  file(world: string, name: string, limit?: number): Uint8Array {
    const bytes = isWorldName(world) && isWorldName(name) ? this.#snapshotStore.read(world, name, limit) : undefined
    if (bytes) return bytes
    const names = isWorldName(world) ? this.names(world).map((one) => one.name) : []
    throw new Refusal(
      'SNAPSHOT_NOT_FOUND',
      `There is no snapshot "${name.slice(0, 80)}" of the world "${world.slice(0, 80)}".${didYouMean(name, names)}`,
      { hints: [hintOf('Save one: {}', 'snapshot.save', { name: '…' })] },
    )
  }

  #isTaken(world: string, name: string): boolean {
    return this.#promised.has(`${world}/${name}`) || this.#snapshotStore.read(world, name, 0) !== undefined
  }

  #freeName(world: string): string {
    return freeName('snapshot-', 0, (name) => this.#isTaken(world, name)).name
  }
}

/** A space sorts before all that is in a name. */
function placeOf({ world, name }: { world: string; name: string }): string {
  return `${world} ${name}`
}
