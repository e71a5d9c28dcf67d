import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * The nearest folder above this module with shipped scenarios; works from source and from the bundle. Not the nearest
 * `package.json`, because `src` has a small one of its own: Node reads the nearest one for each module.
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

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'))
  return version
}

export const SHIPPED = join(packageRoot(), 'scenarios')

export function shippedScenarios(): string[] {
  return readdirSync(SHIPPED)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
}
