/** Where our package is, and which version it has. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

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

/** Where the scenarios are that are shipped. */
export const SHIPPED = join(packageRoot(), 'scenarios')

/** Names of the shipped scenarios. */
export function shippedScenarios(): string[] {
  return readdirSync(SHIPPED)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
}
