import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whyUnreadable, whyUnwritable } from '../../hosts/node/file-access.ts'
import { CommandFailed, USAGE, UsageError } from './command.ts'

/** A file, or those of a folder that are JSON, by their names. */
export function jsonFilesAt(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => name.endsWith('.json'))
    return names.sort().map((name) => join(path, name))
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${whyUnreadable(error)}.`)
  }
}

export function writeNamed(file: string, text: string): void {
  writing(file, () => writeFileSync(file, text))
}

export function writing<Done>(file: string, write: () => Done): Done {
  try {
    return write()
  } catch (error) {
    throw unwritable(file, error)
  }
}

export function unwritable(file: string, error: unknown): CommandFailed {
  return new CommandFailed(`${file} cannot be written:`, `${whyUnwritable(error)}.`, { exitCode: USAGE })
}
