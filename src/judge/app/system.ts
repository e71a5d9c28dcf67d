/** Reads from /proc what processes do, how they were started, and which connections they have. Without it, nothing. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

export const MARK = 'UNDER_TEST_BY_MFANO'

/** Kills what is left of an app, wherever it is. */
export function endEscaped(dir: string): void {
  for (const pid of pids())
    if (partsOf(pid, 'environ').includes(`${MARK}=${dir}`)) orNothing(() => process.kill(pid, 'SIGKILL'))
}

function pids(): number[] {
  return (orNothing(() => readdirSync('/proc')) ?? []).map(Number).filter(Number.isInteger)
}

/** Such as the words of `cmdline`. None of another user's process, or one that has just ended. */
function partsOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  return (readIfAny(`/proc/${pid}/${file}`) ?? '').split('\0').slice(0, -1)
}

export function readIfAny(file: string): string | undefined {
  return orNothing(() => readFileSync(file, 'utf8'))
}

export function orNothing<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** Columns of /proc/net/tcp: both ends, the state, the sizes of the send and the receive queue, and the inode. */
const LINE = /^\s*\d+: \w+:(\w{4}) \w+:(\w{4}) (\w\w) (\w{8}):(\w{8}) \S+ \S+\s+\d+\s+\d+ (\d+)/gm
const ESTABLISHED = '01'
const TIME_WAIT = '06'
const LISTENING = '0A'

function tcpTables(): string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => orNothing(() => readFileSync(table, 'latin1')) ?? [])
}

function asWritten(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0')
}

/**
 * `callers`: established connections of clients. A client that still resolves the name or connects is not counted.
 * `underWay`: bytes are in transit, or a client has not read them yet. Bytes that reached the listening program do not
 * count.
 */
export function portTraffic(...ports: number[]) {
  const wanted = new Set(ports.map(asWritten))
  const isWanted = (port = '') => wanted.has(port)
  const seen = { callers: 0, underWay: false }
  const tables = tcpTables()
  for (const table of tables)
    for (const [, here, there, state, sending, reading] of table.matchAll(LINE)) {
      if (state === TIME_WAIT) continue
      if (isWanted(there) && state === ESTABLISHED) seen.callers++
      if ((isWanted(here) && isSome(sending)) || (isWanted(there) && isSome(`${sending}${reading}`)))
        seen.underWay = true
    }
  return tables.length > 0 ? seen : undefined
}

function isSome(hexadecimal = ''): boolean {
  return /[^0]/.test(hexadecimal)
}

/** Undefined for another user's program, and for mfano itself. */
export function listenerAt(port: number) {
  const wanted = asWritten(port)
  const lines = tcpTables().flatMap((table) => [...table.matchAll(LINE)])
  const sockets = new Set(
    lines.flatMap(([, here, , state, , , inode]) =>
      here === wanted && state === LISTENING ? `socket:[${inode}]` : [],
    ),
  )
  const pid = sockets.size > 0 ? pids().find((one) => holds(one, sockets)) : undefined
  if (pid === undefined || pid === process.pid) return undefined
  const folder = orNothing(() => readlinkSync(`/proc/${pid}/cwd`))
  return folder === undefined
    ? undefined
    : { folder, words: partsOf(pid, 'cmdline'), variables: partsOf(pid, 'environ') }
}

function holds(pid: number, sockets: ReadonlySet<string>): boolean {
  const descriptors = orNothing(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  return descriptors.some((one) => sockets.has(orNothing(() => readlinkSync(`/proc/${pid}/fd/${one}`)) ?? ''))
}

// Activity of a process and its children, which shows that their work is done.

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
  /** Files of all threads, which stay open: a look is one system call for each, and fails once it is gone. */
  readonly #status = new Map<string, number>()
  readonly #children = new Map<string, number>()
  #lists = 0
  #listedAt = -1

  constructor(pid: number) {
    this.#pid = pid
  }

  look(): ProcessActivity | undefined {
    for (let lists = 0; lists < LISTS_MOST; lists++) {
      const sum = this.#read()
      if (sum === undefined) break
      if (sum === this.#listedAt) return { asleep: true, switches: `${this.#lists} ${sum}` }
      if (Number.isNaN(sum)) this.close()
      if (!this.#list(this.#pid)) return undefined
      this.#lists++
      this.#listedAt = sum
    }
    return { asleep: false, switches: '' }
  }

  close(): void {
    for (const files of [this.#status, this.#children]) {
      for (const file of files.values()) closeSync(file)
      files.clear()
    }
    this.#listedAt = -1
  }

  /** Undefined where one does not sleep, NaN where one is gone. */
  #read(): number | undefined {
    let sum = 0
    for (const file of this.#status.values()) {
      const status = orNothing(() => readPage(file))
      if (status === undefined) return Number.NaN
      if (!ASLEEP.includes(stateIn(status))) return undefined
      sum += switchesIn(status)
    }
    return sum
  }

  #list(pid: number): boolean {
    const ids = orNothing(() => readdirSync(`/proc/${pid}/task`))
    for (const id of ids ?? []) {
      const thread = `/proc/${pid}/task/${id}`
      orNothing(() => openOnce(this.#status, `${thread}/status`))
      const children = orNothing(() => readPage(openOnce(this.#children, `${thread}/children`)))
      for (const child of wordsIn(children)) this.#list(Number(child))
    }
    return ids !== undefined
  }
}

function openOnce(files: Map<string, number>, path: string): number {
  const file = files.get(path) ?? openSync(path, 'r')
  files.set(path, file)
  return file
}

/** Includes child processes. Undefined without /proc. */
export function processorMsOf(pid: number): number | undefined {
  const children = readIfAny(`/proc/${pid}/task/${pid}/children`)
  if (children === undefined) return undefined
  const stat = readIfAny(`/proc/${pid}/stat`) ?? ''
  // From field 3 on: the name in field 2 may contain anything, so reading starts after its last `)`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).map(Number)
  const ofChildren = wordsIn(children).map((child) => processorMsOf(Number(child)) ?? 0)
  return ticks.reduce((sum, one) => sum + one, 0) * MS_PER_TICK + ofChildren.reduce((sum, ms) => sum + ms, 0)
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

function wordsIn(text = ''): string[] {
  return text.split(' ').filter((word) => word !== '')
}

/** Shared, because `readFileSync` would allocate 64 kB for each file of unknown size, and thousands are read. */
const page = Buffer.alloc(8192)

function readPage(descriptor: number): string {
  return page.toString('latin1', 0, readSync(descriptor, page, 0, page.length, 0))
}
