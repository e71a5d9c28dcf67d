import { writeFileSync } from 'node:fs'
import { whyUnwritable } from '../../hosts/node/file-access.ts'
import { CommandFailed, USAGE } from './command.ts'

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
