/** Writes capsules of worlds in which something was red. */
import { join } from 'node:path'
import { makeFolder } from '../hosts/node/file-access.ts'
import { writeWhole } from '../hosts/node/write-whole.ts'

/** Names the folder that capsules go to; without it no world is recorded for one. */
const FOLDER = 'MFANO_CAPSULES'

/** Whether worlds are to be recorded, so that a capsule of them can be kept. */
export function capsulesAreKept(): boolean {
  return capsuleFolder() !== undefined
}

/** Where capsules are kept, if they are. */
export function capsuleFolder(): string | undefined {
  return process.env[FOLDER] || undefined
}

/**
 * Writes the capsule that `ask` gives to a folder, that of `MFANO_CAPSULES` unless another is named, and gives the
 * file's path. Undefined where there is no folder, or no capsule: what was red is told either way.
 * @param name what was red, in a few words
 */
export async function keepCapsule(
  ask: () => Promise<Response>,
  name: string,
  folder = capsuleFolder(),
): Promise<string | undefined> {
  if (!folder) return undefined
  const response = await ask().catch(() => undefined)
  if (!response) return undefined
  const words = name.replaceAll(/[^\w.-]+/g, '-').slice(0, 80)
  // Processes share the folder.
  const { hrtime, pid } = process
  const file = join(folder, `${words}-${pid}-${hrtime.bigint()}.capsule`)
  makeFolder(folder)
  writeWhole(file, new Uint8Array(await response.arrayBuffer()))
  return file
}
