/** Where our package is, and which version it has. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Our folder: the nearest one above this module that has a package.json. It is found from source and from the bundle alike. */
export function packageRoot(): string {
  let directory = import.meta.dirname
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`mfano's package.json is not above ${import.meta.dirname}`)
    directory = parent
  }
  return directory
}

/** Our version. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version
}
