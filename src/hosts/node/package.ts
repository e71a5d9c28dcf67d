/** Where our package is, and which version it has. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Our folder: the nearest one above this module in which scenarios are shipped. It is found from source and from the
 * bundle alike. Not the nearest `package.json`: `src` has one that is a line, since Node takes in for each module all
 * that the next one above says.
 */
export function packageRoot(): string {
  let directory = import.meta.dirname
  while (!existsSync(join(directory, 'scenarios/default.yaml'))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`mfano's scenarios are not above ${import.meta.dirname}`)
    directory = parent
  }
  return directory
}

/** Our version. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version
}
