/** Snapshots as files, in one folder per world. */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SnapshotStore } from '../../../core/host.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { OWNER_ONLY } from '../file-access.ts'
import { UNFINISHED, writeWholeMeanwhile } from '../write-whole.ts'
import { onFile } from './storage-errors.ts'

const ENDING = '.mfano'

export function snapshotFiles(directory: string): SnapshotStore {
  const fileOf = (world: string, name: string) => join(directory, world, name + ENDING)
  const within = (...path: string[]) => {
    const folder = join(directory, ...path)
    return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  }
  const worlds = () => within().flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  // Left by a crash.
  for (const world of worlds())
    for (const { name } of within(world)) if (name.endsWith(UNFINISHED)) rmSync(join(directory, world, name))
  return {
    list: (whose) =>
      (whose === undefined ? worlds() : [whose]).flatMap((world) =>
        within(world)
          .filter(({ name }) => name.endsWith(ENDING))
          .map(({ name }) => ({ world, name: name.slice(0, -ENDING.length) })),
      ),
    read: (world, name, limit) => {
      const file = fileOf(world, name)
      if (!existsSync(file)) return undefined
      return limit === undefined ? readFileSync(file) : readBeginning(file, limit)
    },
    write: async (world, name, bytes) => {
      const file = fileOf(world, name)
      // Each by itself: a data directory that was removed is not to come back for a snapshot's sake.
      onFile(file, () => {
        for (const folder of [directory, dirname(file)]) if (!existsSync(folder)) mkdirSync(folder, OWNER_ONLY.folder)
      })
      await onFile(file, () => writeWholeMeanwhile(file, bytes))
    },
    remove: (world, name) => rmSync(fileOf(world, name), { force: true }),
  }
}

function readBeginning(file: string, limit: number): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(limit)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, limit, 0))
  } finally {
    closeSync(descriptor)
  }
}

// Snapshots in memory.

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
