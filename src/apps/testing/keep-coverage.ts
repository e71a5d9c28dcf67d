/** Writes the coverage of each world when it closes, so that the reports of a suite can be merged. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Control } from '../../client/control.ts'

/** The folder for reports. Without it nothing is written. */
const FOLDER = 'MFANO_COVERAGE'

export async function keepCoverage(control: Control, worldId: string): Promise<void> {
  const folder = process.env[FOLDER]
  if (!folder) return
  const coverage = await control('GET', '/coverage')
  mkdirSync(folder, { recursive: true })
  // Processes share the folder, and a process may have several servers.
  const { hrtime, pid } = process
  writeFileSync(join(folder, `${pid}-${hrtime.bigint()}-${worldId}.json`), JSON.stringify(coverage))
}
