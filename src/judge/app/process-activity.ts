/** Reads from the operating system what a process and its children do, to detect that their work is done. */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const MS_PER_TICK = 10
/** States of a thread that can only go on when something else happens. */
const ASLEEP = 'SIZXT'
/** A process that still has new threads after so many listings is at work. */
const LISTS_MOST = 4

export interface ProcessActivity {
  /** Every thread sleeps, and none is merely waiting for a processor. */
  asleep: boolean
  /** If two looks at sleeping threads have equal values, nothing ran between them. */
  switches: string
}

/**
 * Looks at one process again and again. A look at a busy process ends at the first thread that does not sleep. Threads
 * and children are listed only after something has run, because nothing else can make new ones.
 */
export class ProcessWatch {
  readonly #pid: number
  /** Descriptors of their status files, which stay open: a look is one system call for each, and fails once it is gone. */
  readonly #threads = new Map<string, number>()
  /** Grows when a thread comes or goes. */
  #generation = 0
  /** Context switches of all threads together when they were listed. */
  #listedAt = -1

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Undefined without /proc, and when the process is gone. */
  look(): ProcessActivity | undefined {
    for (let lists = 0; lists < LISTS_MOST; lists++) {
      const sum = this.#read()
      if (sum === undefined) break
      if (sum === this.#listedAt) return { asleep: true, switches: `${this.#generation} ${sum}` }
      if (!this.#list(this.#pid)) {
        this.close()
        return undefined
      }
      this.#listedAt = sum
    }
    return { asleep: false, switches: '' }
  }

  close(): void {
    for (const name of [...this.#threads.keys()]) this.#drop(name)
    this.#listedAt = -1
  }

  /** The context switches of all threads; undefined if one of them does not sleep. */
  #read(): number | undefined {
    let sum = 0
    for (const [name, descriptor] of this.#threads) {
      let status: string
      try {
        status = page.toString('latin1', 0, readSync(descriptor, page, 0, page.length, 0))
      } catch {
        this.#drop(name)
        this.#listedAt = -1
        continue
      }
      if (!ASLEEP.includes(stateIn(status))) {
        this.#lookFirst(name, descriptor)
        return undefined
      }
      sum += switchesIn(status)
    }
    return sum
  }

  /** A thread that ran lately is the likeliest to run. */
  #lookFirst(name: string, descriptor: number): void {
    const [first] = this.#threads.keys()
    if (first === name) return
    const all = [[name, descriptor] as const, ...this.#threads]
    this.#threads.clear()
    for (const [one, its] of all) this.#threads.set(one, its)
  }

  /** Opens what is new; false if the process is gone. */
  #list(pid: number): boolean {
    let ids: string[]
    try {
      ids = readdirSync(`/proc/${pid}/task`)
    } catch {
      return false
    }
    for (const id of ids) {
      const thread = `/proc/${pid}/task/${id}`
      try {
        if (!this.#threads.has(thread)) {
          this.#threads.set(thread, openSync(`${thread}/status`, 'r'))
          this.#generation++
        }
        for (const child of wordsIn(read(`${thread}/children`))) this.#list(Number(child))
      } catch {
        // It ended in the meantime.
      }
    }
    return true
  }

  #drop(name: string): void {
    const descriptor = this.#threads.get(name)
    if (descriptor === undefined) return
    this.#threads.delete(name)
    this.#generation++
    closeSync(descriptor)
  }
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
  const ofChildren = wordsIn(children).map((child) => processorMsOf(Number(child)) ?? 0)
  return used * MS_PER_TICK + ofChildren.reduce((sum, ms) => sum + ms, 0)
}

function ticksIn(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

/** The name of the process comes first, and is escaped: it has no line of its own. */
function stateIn(status: string): string {
  return status.charAt(status.indexOf('\nState:\t') + '\nState:\t'.length)
}

function switchesIn(status: string): number {
  const [voluntary = '', involuntary = ''] =
    status.slice(status.lastIndexOf('\nvoluntary_ctxt_switches')).match(/\d+/g) ?? []
  return Number(voluntary) + Number(involuntary)
}

function wordsIn(text: string): string[] {
  return text.split(' ').filter((word) => word !== '')
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
