/** No run leaves a process behind: one that holds what it inherited open keeps whoever started the run waiting. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'

/** What was killed needs a moment to be gone. */
const LOOKS = 50
const LOOK_EVERY_MS = 100

export default function setup({ config: { root } }: TestProject): () => Promise<void> {
  const before = new Set(orphansOf(root).map(({ pid }) => pid))
  return async () => {
    const left = () => orphansOf(root).filter(({ pid }) => !before.has(pid))
    for (let look = 0; look < LOOKS && left().length > 0; look++) await pause(LOOK_EVERY_MS)
    for (const { pid, command } of left()) {
      process.stdout.write(`FAIL the run left the process ${pid} behind: ${command}\n`)
      process.exitCode = 1
    }
  }
}

/** Processes that nobody waits for any more, and that run a file of this tree or in a folder that tests made. */
function orphansOf(root: string): { pid: string; command: string }[] {
  let pids: string[]
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    // The system does not say.
    return []
  }
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
        .replaceAll('\0', ' ')
        .trim()
      const isOrphan = /^PPid:\s*1$/m.test(readFileSync(join('/proc', pid, 'status'), 'utf8'))
      const isOurs =
        command.includes(`${root}/`) || readlinkSync(join('/proc', pid, 'cwd')).startsWith(join(tmpdir(), 'mfano-'))
      return isOrphan && isOurs ? [{ pid, command: command.slice(0, 300) }] : []
    } catch {
      return []
    }
  })
}
