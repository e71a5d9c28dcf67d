/** Nothing of a judge is left after Ctrl-C, nor after it was killed: no process, no port, no folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { folder } from '../../apps/cli/support.ts'
import { dayOrNight } from '../../support/night.ts'
import { entry } from '../../support/program-entry.ts'

const LONG_MS = 300_000
vi.setConfig({ testTimeout: LONG_MS })
const root = join(import.meta.dirname, '../../..')
const LOOK_EVERY_MS = 20

interface Judge {
  child: ChildProcess
  /** The temporary folder that it and its apps were given. */
  temporary: string
  /** A file for each process of an app that began, by its id; what stands in it is its port. */
  begun: string
}

/** A judge at work on the app of two processes, which write down that they have begun. */
function judge(...typed: string[]): Judge {
  const home = folder()
  const [temporary, begun, app] = ['tmp', 'begun', 'app'].map((name) => join(home, name)) as [string, string, string]
  for (const one of [temporary, begun]) mkdirSync(one)
  cpSync(join(root, 'test/merchants/kibarua'), app, { recursive: true })
  const file = join(app, 'merchant.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('command: node', `command: ${process.execPath}`))
  const note = `import { writeFileSync } from 'node:fs'\nif (process.env.PORT) writeFileSync(${JSON.stringify(`${begun}/`)} + process.pid, process.env.PORT)\n`
  writeFileSync(join(app, 'book.mjs'), note + readFileSync(join(app, 'book.mjs'), 'utf8'))
  const [command = '', ...flags] = typed
  const child = spawn(process.execPath, [entry, command, file, ...flags], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, temporary, begun }
}

const apps = ({ begun }: Judge) => readdirSync(begun)

/**
 * So many processes of apps have begun that some of them are at work and others wait; and in a search, that several
 * threads run them.
 */
async function isAtWork(one: Judge, processes: number): Promise<void> {
  while (apps(one).length < processes) {
    expect(one.child.exitCode).toBeNull()
    await pause(LOOK_EVERY_MS)
  }
}

const isThere = (pid: string) => existsSync(`/proc/${pid}`) && !/^State:\s*Z/m.test(statusOf(pid))

function statusOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return 'State:\tZ'
  }
}

/** Whether somebody listens on a port of this machine. */
async function isOpen(port: string): Promise<boolean> {
  const socket = createConnection(Number(port), '127.0.0.1')
  const isConnected = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  })
  socket.destroy()
  return isConnected
}

async function left(one: Judge): Promise<object> {
  const ports = [...new Set(apps(one).map((pid) => readFileSync(join(one.begun, pid), 'utf8')))]
  const open = await Promise.all(ports.map(isOpen))
  return {
    processes: apps(one).filter(isThere),
    ports: ports.filter((_, i) => open[i]),
    folders: readdirSync(one.temporary).filter((name) => name.startsWith('mfano-')),
  }
}

const NOTHING = { processes: [], ports: [], folders: [] }
const searching: [processes: number, ...typed: string[]] = [60, 'explore', '--within', '1d']
const trying: [processes: number, ...typed: string[]] = [8, 'gauntlet', '--full']

it.for(dayOrNight([trying], [trying, searching]))(
  'leaves nothing behind after Ctrl-C: after %i processes, %s',
  async ([processes, ...typed]) => {
    const one = judge(...typed)
    await isAtWork(one, processes)
    one.child.kill('SIGINT')
    await once(one.child, 'exit')
    expect(await left(one)).toEqual(NOTHING)
  },
)

it.for(dayOrNight([searching], [trying, searching]))(
  'leaves nothing behind when it is killed: after %i processes, %s',
  async ([processes, ...typed]) => {
    const one = judge(...typed)
    await isAtWork(one, processes)
    one.child.kill('SIGKILL')
    await once(one.child, 'exit')
    // What is beside each app has to notice first.
    await expect.poll(() => left(one), { timeout: LONG_MS / 3, interval: 100 }).toEqual(NOTHING)
  },
)
