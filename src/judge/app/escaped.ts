/** What an app started and that left its process group, found by a variable that all of it inherits. */
import { readdirSync, readFileSync } from 'node:fs'

/** The variable; its value is the folder of the run, which no other has. */
export const MARK = 'UNDER_TEST_BY_MFANO'

/** A process that outlived its app. */
export interface Escaped {
  pid: number
  /** As it was typed. */
  command: string
}

/**
 * Ends what is left of an app, and says what that was; nothing where the system has no /proc to look in. What is in the
 * app's own process group has been ended with it, and may only not be gone yet.
 */
export function endEscaped(dir: string, group: number | undefined): Escaped[] {
  const mark = `${MARK}=${dir}`
  return pids().flatMap((pid) => {
    // Another user's process, or one that has just ended, cannot be read.
    if (!read(pid, 'environ').split('\0').includes(mark) || groupOf(pid) === group) return []
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      return []
    }
    return command === '' ? [] : [{ pid, command }]
  })
}

/** The fifth field; the second is a name in brackets, which may hold anything. */
function groupOf(pid: number): number {
  const stat = read(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

function pids(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
