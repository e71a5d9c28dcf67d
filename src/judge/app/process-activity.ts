/** Reads from the operating system what a process is doing, to detect that its work is done. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const MS_PER_TICK = 10

export interface ProcessActivity {
  /** Every thread sleeps, and none is merely waiting for a processor. */
  asleep: boolean
  /** Context switches of each thread. If two looks have equal values, nothing ran between them. */
  switches: string
}

/** Undefined without /proc. */
export function activityOf(pid: number): ProcessActivity | undefined {
  const seen: ProcessActivity = { asleep: true, switches: '' }
  return look(pid, seen) ? seen : undefined
}

/** Includes child processes. Undefined without /proc. */
export function processorMsOf(pid: number): number | undefined {
  let used: number
  let children: string
  try {
    used = ticksIn(read(`/proc/${pid}/stat`))
    children = read(`/proc/${pid}/task/${pid}/children`)
  } catch {
    return undefined
  }
  const ofChildren = children.split(' ').map((child) => (child === '' ? 0 : (processorMsOf(Number(child)) ?? 0)))
  return used * MS_PER_TICK + ofChildren.reduce((sum, ms) => sum + ms, 0)
}

function ticksIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

function look(pid: number, seen: ProcessActivity): boolean {
  let threads: string[]
  try {
    threads = readdirSync(`/proc/${pid}/task`)
  } catch {
    return false
  }
  for (const thread of threads) lookAtThread(`/proc/${pid}/task/${thread}`, seen)
  return true
}

/** A thread that ended in the meantime counts as idle. */
function lookAtThread(thread: string, seen: ProcessActivity): void {
  let status: string
  let children: string
  try {
    status = read(`${thread}/status`)
    children = read(`${thread}/children`)
  } catch {
    return
  }
  // The name comes first, and is escaped: it has no line of its own.
  if (!'SIZXT'.includes(/^State:\s*(\w)/m.exec(status)?.[1] ?? '')) seen.asleep = false
  seen.switches += `${thread}${status.slice(status.indexOf('voluntary_ctxt_switches'))}`
  for (const child of children.split(' ')) if (child !== '') look(Number(child), seen)
}

/** Shared, because `readFileSync` would allocate 64 kB for each file of unknown size, and thousands are read. */
const page = Buffer.alloc(8192)

function read(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    return page.toString('latin1', 0, readSync(descriptor, page))
  } finally {
    closeSync(descriptor)
  }
}
