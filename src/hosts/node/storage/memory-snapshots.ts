/** Snapshots in memory. */
import type { SnapshotStore } from '../../../core/host.ts'
import { Refusal } from '../../../core/model/refusal.ts'

const MEMORY_MAX_BYTES = 512 * 1024 * 1024

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
        )
      files.set(key(world, name), { world, name, file })
    },
    remove: (world, name) => {
      files.delete(key(world, name))
    },
  }
}
