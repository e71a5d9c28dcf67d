/** Reads from the operating system which command started the program that listens at a port. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, relative } from 'node:path'

/** Columns of /proc/net/tcp: local port, remote end, state, queues, timer, retransmissions, user, time-out, inode. */
const LISTENING = /^\s*\d+: \w+:(\w{4}) \w+:\w{4} 0A \S+ \S+ \S+\s+\d+\s+\d+ (\d+)/gm

/** Runs in `folder`. Undefined without /proc, for another user's program, for mfano itself, and for one elsewhere. */
export function listeningCommand(port: number, folder: string): string | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsAt(port, table)))
  const pid = sockets.size > 0 ? orNothing(() => readdirSync('/proc'))?.find((one) => holds(one, sockets)) : undefined
  if (pid === undefined || pid === String(process.pid)) return undefined
  const [cwd, line] = [orNothing(() => readlinkSync(`/proc/${pid}/cwd`)), orNothing(() => cmdline(pid))]
  const [program = '', ...words] = line ?? []
  if (cwd !== folder || program === '') return undefined
  const inFolder = (word: string) => (word.startsWith(`${folder}/`) ? relative(folder, word) : word)
  const started = program.startsWith(`${folder}/`) ? inFolder(program) : basename(program)
  const asPort = new RegExp(`(?<=^|[=:])${port}$`)
  return [started, ...words.map((word) => quoted(inFolder(word).replace(asPort, '{port}')))].join(' ')
}

function socketsAt(port: number, table: string): string[] {
  const lines = orNothing(() => readFileSync(table, 'latin1')) ?? ''
  return [...lines.matchAll(LISTENING)].flatMap(([, at = '', inode = '']) =>
    Number.parseInt(at, 16) === port ? [`socket:[${inode}]`] : [],
  )
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  if (!/^\d+$/.test(pid)) return false
  const descriptors = orNothing(() => readdirSync(`/proc/${pid}/fd`)) ?? []
  return descriptors.some((one) => sockets.has(orNothing(() => readlinkSync(`/proc/${pid}/fd/${one}`)) ?? ''))
}

function cmdline(pid: string): string[] {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1)
}

/** Processes end while they are looked at, and those of others may not be read. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
