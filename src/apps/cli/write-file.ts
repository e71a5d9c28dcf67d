/** Writes what a command was asked to write to a file. */
import { writeFileSync } from 'node:fs'
import { whyUnwritable } from '../../hosts/node/file-access.ts'
import { CommandFailed, USAGE } from './command.ts'

/** Fails in words where it cannot be written. */
export function writeNamed(file: string, text: string): void {
  writing(file, () => writeFileSync(file, text))
}

/** Does what writes a file; what goes wrong with it is told in words. */
export function writing<Done>(file: string, write: () => Done): Done {
  try {
    return write()
  } catch (error) {
    throw unwritable(file, error)
  }
}

/** A file that somebody named, and that cannot be written. */
export function unwritable(file: string, error: unknown): CommandFailed {
  return new CommandFailed(`${file} cannot be written:`, `${whyUnwritable(error)}.`, { exitCode: USAGE })
}
