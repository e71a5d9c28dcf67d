import { join } from 'node:path'
import { makeFolder, OWNER_ONLY, writeWhole } from '../hosts/node/file-access.ts'

/** Variable with the folder for capsules. Worlds are recorded for capsules only if it is set. */
const FOLDER = 'MFANO_CAPSULES'

export function capsuleFolder(): string | undefined {
  return process.env[FOLDER] || undefined
}

/**
 * Writes the capsule that `ask` returns and returns its path. Returns undefined without a folder or a capsule, because
 * a missing capsule must not hide the failure itself.
 * @param name what failed, in a few words
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
  makeFolder(folder, OWNER_ONLY.folder)
  writeWhole(file, new Uint8Array(await response.arrayBuffer()), OWNER_ONLY.file)
  return file
}
