/** What a suite exercised, kept as its worlds are closed: one report for each, to be read together in the end. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Control } from '../../client/control.ts'

/** Names the folder that reports go to; without it nothing is kept. */
const FOLDER = 'MFANO_COVERAGE'

/** Writes the coverage of a world that is about to be closed to the folder, where one is named. */
export async function keepCoverage(control: Control, worldId: string): Promise<void> {
  const folder = process.env[FOLDER]
  if (!folder) return
  const coverage = await control('GET', '/coverage')
  mkdirSync(folder, { recursive: true })
  // Processes share the folder, and a process may have several servers.
  const { hrtime, pid } = process
  writeFileSync(join(folder, `${pid}-${hrtime.bigint()}-${worldId}.json`), JSON.stringify(coverage))
}
