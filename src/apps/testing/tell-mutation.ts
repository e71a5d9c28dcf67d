/** Applies the mutation of `mfano mutants` to a suite's worlds, or keeps what they answered. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Control } from '../../client/control.ts'
import { type ForKit, MUTATION } from '../../core/model/mutation.ts'

function asked(): ForKit | undefined {
  const text = process.env[MUTATION]
  return text ? JSON.parse(text) : undefined
}

/** Call it for each new world. Does nothing unless mutants run. */
export async function beginMutation(control: Control): Promise<void> {
  const what = asked()
  if (!what) return
  if ('tell' in what) await control('PUT', '/mutation', { body: what.tell })
  else await control('POST', '/told')
}

/** Call it before a world closes. */
export async function keepTold(control: Control, worldId: string): Promise<void> {
  const what = asked()
  if (!what || 'tell' in what) return
  const { told } = await control('GET', '/told')
  // Processes share the folder, and a process may have several servers.
  const { hrtime, pid } = process
  writeFileSync(join(what.keepIn, `${pid}-${hrtime.bigint()}-${worldId}.json`), JSON.stringify(told))
}
