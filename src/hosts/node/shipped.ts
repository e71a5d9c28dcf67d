/** The scenarios that are shipped. */
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { packageRoot } from './package.ts'

/** Where the scenarios are that are shipped. */
export const SHIPPED = join(packageRoot(), 'scenarios')

/** Names of the shipped scenarios. */
export function shippedScenarios(): string[] {
  return readdirSync(SHIPPED)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort()
}
