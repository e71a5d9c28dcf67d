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

/** Ends what is left of an app, and says what that was; nothing where the system has no /proc to look in. */
export function endEscaped(dir: string): Escaped[] {
  const mark = `${MARK}=${dir}`
  return pids().flatMap((pid) => {
    // Another user's process, or one that has just ended, cannot be read.
    if (!read(pid, 'environ').split('\0').includes(mark)) return []
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      return []
    }
    // A shell's helper of ours that was on its way out has no command any more.
    return command === '' ? [] : [{ pid, command }]
  })
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
