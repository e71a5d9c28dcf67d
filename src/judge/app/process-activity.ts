/** Reads from the operating system what a process and its children do, to detect that their work is done. */

import { type ChildProcess, spawn } from 'node:child_process'
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
  #generation = 0
  #listedAt = -1

  constructor(pid: number) {
    this.#pid = pid
  }

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

// Starts a program in a process group that ends with this process, even after SIGKILL.

/** Runs beside the program, and kills the group when the pipe from mfano closes, even if mfano gets a SIGKILL. */
const WATCHDOG = '(read -r line <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; '

const running = new Set<number>()
process.on('exit', endGroups)

export function endGroups(): void {
  running.forEach(endGroup)
}

/**
 * `command` is a shell command, or a program with arguments. A command that cannot run exits with 126 or 127, as in a
 * shell.
 */
export function startGroup(
  command: string | readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string | undefined,
): ChildProcess {
  const [run, words] = typeof command === 'string' ? ['eval "$1"', [command]] : ['"$@"', command]
  const child = spawn('/bin/sh', ['-c', WATCHDOG + run, 'sh', ...words], {
    cwd,
    env,
    // Whatever it starts ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  // Read to its end, so that the child is known to be closed.
  const pipe = child.stdio[3]
  pipe?.on('error', () => {})
  if (pipe && 'resume' in pipe) pipe.resume()
  if (child.pid !== undefined) running.add(child.pid)
  return child
}

/** Kills the program and all its children at once, so that a crash is as sudden as a power failure. */
export function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
