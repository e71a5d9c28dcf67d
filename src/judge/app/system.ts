/** Reads from /proc which processes there are, how they were started, and which connections they have. Without it, nothing. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export const MARK = 'UNDER_TEST_BY_MFANO'

export interface Escaped {
  pid: number
  command: string
}

/**
 * Kills what is left of an app, where it left its process group, and returns it. Members of the app's own groups are
 * skipped, because they were killed already and may merely not be gone yet.
 */
export function endEscaped(dir: string, groups: readonly (number | undefined)[]): Escaped[] {
  const mark = `${MARK}=${dir}`
  return pids().flatMap((pid) => {
    if (!partsOf(pid, 'environ').includes(mark) || groups.includes(groupOf(pid))) return []
    const command = partsOf(pid, 'cmdline').join(' ')
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
  const stat = read(`/proc/${pid}/stat`) ?? ''
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
}

function pids(): number[] {
  return (orNothing(() => readdirSync('/proc')) ?? []).map(Number).filter(Number.isInteger)
}

/** Such as the words of `cmdline`. None of another user's process, or one that has just ended. */
function partsOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  return (read(`/proc/${pid}/${file}`) ?? '').split('\0').slice(0, -1)
}

export function read(file: string): string | undefined {
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

interface PortTraffic {
  /** Established connections of clients. A client that still resolves the name or connects is not counted. */
  callers: number
  /** Bytes are in transit, or a client has not read them yet. Bytes that reached the listening program do not count. */
  underWay: boolean
}

export function portTraffic(...ports: number[]): PortTraffic | undefined {
  const wanted = new Set(ports.map(asWritten))
  const isWanted = (port = '') => wanted.has(port)
  const seen: PortTraffic = { callers: 0, underWay: false }
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

export interface Started {
  folder: string
  words: string[]
  variables: string[]
}

/** Undefined for another user's program, and for mfano itself. */
export function listenerAt(port: number): Started | undefined {
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
