/** What a test needs of the machine that runs it. */
import { spawnSync } from 'node:child_process'

/** Skips a test, and says why at the end of the run, where a program is missing. */
export function needs(program: string, { skip }: { skip(why: string): void }): void {
  const { status } = spawnSync(process.platform === 'win32' ? 'where' : 'which', [program])
  if (status !== 0) skip(`this machine has no ${program}`)
}
