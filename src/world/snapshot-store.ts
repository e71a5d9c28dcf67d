/** Where a server keeps its snapshots. */
import { Refusal } from '../model/refusal.ts'

/** Where a server keeps its snapshots: world files, each under a world's id and a name. */
export interface SnapshotStore {
  /** All, or those of one world. */
  list(world?: string): { world: string; name: string }[]
  /** The bytes, or the first `limit` of them, as the caller's own; undefined when there is no such snapshot. */
  read(world: string, name: string, limit?: number): Uint8Array | undefined
  /** All of it or nothing, in the place of what was there. */
  write(world: string, name: string, file: Uint8Array): Promise<void>
  remove(world: string, name: string): void
}

/** All snapshots in memory together. */
const MEMORY_MAX_BYTES = 512 * 1024 * 1024

/** A snapshotStore that lasts as long as the process. */
export function memorySnapshotStore(maxBytes = MEMORY_MAX_BYTES): SnapshotStore {
  const files = new Map<string, { world: string; name: string; file: Uint8Array }>()
  const key = (world: string, name: string) => `${world}/${name}`
  return {
    list: (whose) =>
      [...files.values()]
        .filter(({ world }) => whose === undefined || world === whose)
        .map(({ world, name }) => ({ world, name })),
    read: (world, name, limit) => files.get(key(world, name))?.file.slice(0, limit),
    write: async (world, name, file) => {
      const others = [...files].filter(([at]) => at !== key(world, name))
      const total = others.reduce((sum, [, other]) => sum + other.file.length, file.length)
      if (total > maxBytes)
        throw new Refusal(
          'SNAPSHOTS_FULL',
          `snapshots in memory take at most ${maxBytes} bytes, and with this one they would take ${total}; DELETE some, or start mfano with a data directory`,
          { status: 507, message: 'No room for snapshots' },
        )
      files.set(key(world, name), { world, name, file })
    },
    remove: (world, name) => {
      files.delete(key(world, name))
    },
  }
}
