/**
 * Finds processes that an app started and that left its process group. All of them inherit one environment variable.
 */
import { readdirSync, readFileSync } from 'node:fs'

export const MARK = 'UNDER_TEST_BY_MFANO'

export interface Escaped {
  pid: number
  command: string
}

/**
 * Kills what is left of an app and returns it. Finds nothing without /proc. Members of the app's own groups are skipped,
 * because they were killed already and may merely not be gone yet.
 */
export function endEscaped(dir: string, groups: readonly (number | undefined)[]): Escaped[] {
  const mark = `${MARK}=${dir}`
  return pids().flatMap((pid) => {
    // Another user's process, or one that has just ended, cannot be read.
    if (!read(pid, 'environ').split('\0').includes(mark) || groups.includes(groupOf(pid))) return []
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      return []
    }
    return command === '' ? [] : [{ pid, command }]
  })
}

/** Field 5 of /proc/<pid>/stat. The name in field 2 may contain anything, so reading starts after its last `)`. */
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
