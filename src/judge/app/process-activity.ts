/** What a process is doing, as the operating system sees it: for those who wait until somebody else's work is done. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** The unit of processor times under /proc. */
const MS_PER_TICK = 10

/** A process with all that it started, at one look. */
export interface ProcessActivity {
  /** Every thread waits, and not merely for a processor. */
  asleep: boolean
  /** How often each thread was stopped: equal at two looks, and nothing ran between them. */
  switches: string
}

/** Undefined where the system does not say. */
export function activityOf(pid: number): ProcessActivity | undefined {
  const seen: ProcessActivity = { asleep: true, switches: '' }
  return look(pid, seen) ? seen : undefined
}

/** Processor time that a process with all that it started has used, in milliseconds; undefined where the system does not say. */
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

/** Of the process, and of children that ended: four numbers after its name, which stands in parentheses. */
function ticksIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** Whether there is such a process. */
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

/** One that ended meanwhile, or waits to be buried, does nothing any more. */
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

/** One for all: a file whose size nobody knows would be given 64 kB each time, and these are read by the thousand. */
const page = Buffer.alloc(8192)

function read(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    return page.toString('latin1', 0, readSync(descriptor, page))
  } finally {
    closeSync(descriptor)
  }
}
