/** What a process is doing, as the operating system sees it: for those who wait until somebody else's work is done. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Whether a process and all that it started are asleep, every thread of them: waiting, and not merely waiting for a
 * processor. Undefined where the system does not say.
 */
export function isAsleep(pid: number): boolean | undefined {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => threadAsleep(`/proc/${pid}/task/${thread}`))
  } catch {
    return undefined
  }
}

/** One that ended meanwhile, or waits to be buried, does nothing any more. */
function threadAsleep(thread: string): boolean {
  let stat: string
  let children: string
  try {
    stat = readFileSync(`${thread}/stat`, 'utf8')
    children = readFileSync(`${thread}/children`, 'utf8')
  } catch {
    return true
  }
  // Behind the name, which is in brackets and may hold anything.
  const state = stat.charAt(stat.lastIndexOf(')') + 2)
  return (
    ['S', 'I', 'Z', 'X', 'T'].includes(state) &&
    children
      .split(' ')
      .filter(Boolean)
      .every((child) => isAsleep(Number(child)) !== false)
  )
}
