import { createReadStream, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { must } from '../../core/model/must.ts'
import { OWNER_ONLY } from '../../hosts/node/file-access.ts'
import { type Arguments, CommandFailed, USAGE } from './command.ts'
import { unwritable } from './write-file.ts'

/** Writes the whole answer or nothing. Keeps an existing file unless `--replace` is given. */
export async function saveTo(
  file: string,
  given: Arguments,
  ask: () => Promise<Response>,
): Promise<{ file: string; bytes: number }> {
  if (existsSync(file) && !given.has('replace'))
    throw new CommandFailed(`${file} is there already, and stays as it is.`, 'Choose another name, or say --replace.')
  const response = await ask()
  const half = `${file}.part`
  let bytes = 0
  try {
    const handle = await open(half, 'w', OWNER_ONLY.file)
    try {
      for await (const chunk of must(response.body)) {
        await handle.write(chunk)
        bytes += chunk.length
      }
    } finally {
      await handle.close()
    }
    renameSync(half, file)
  } catch (error) {
    rmSync(half, { force: true })
    throw unwritable(file, error)
  }
  return { file, bytes }
}

export function fileToSend(file: string): ReadableStream<Uint8Array> {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile()) return Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  const why = found ? 'it is a folder, or no plain file' : 'there is no such file'
  throw new CommandFailed(`${file} cannot be read:`, `${why}.`, { code: 'NO_FILE', exitCode: USAGE })
}
