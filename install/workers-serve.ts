/** Runs the bundled worker in workerd, the open runtime of Cloudflare Workers: on this machine, without a network. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { BUNDLED, SQLITE } from './workers-bundle.ts'

const root = join(import.meta.dirname, '..')

/** How the worker is run. */
export interface Serving {
  /** Where its bundle lies. */
  bundle?: string
  /** 0: a free one. */
  port: number
  host?: string
  /** A directory for the storage of all objects; `:memory:` keeps nothing. */
  data: string
  /** Variables of the worker. */
  variables: Readonly<Record<string, string>>
  /** Where its lines on stderr go, one at a time. */
  said(line: string): void
}

/** A worker that listens. */
export interface ServedWorker {
  port: number
  process: ChildProcess
  /** Resolves when it has ended, however it came to that. */
  ended: Promise<void>
}

/** Starts workerd, and resolves once it listens. Rejects when it ends before. */
export async function serveWorker({
  bundle = BUNDLED,
  port,
  host = '127.0.0.1',
  data,
  variables,
  said,
}: Serving): Promise<ServedWorker> {
  const { default: workerd } = createRequire(join(root, 'test/package.json'))('workerd') as { default: string }
  const directory = mkdtempSync(join(tmpdir(), 'mfano-workerd-'))
  const config = join(directory, 'config.capnp')
  const storage = data === ':memory:' ? undefined : resolve(data)
  if (storage !== undefined) mkdirSync(storage, { recursive: true })
  writeFileSync(config, configOf(bundle, storage, variables))
  const served = spawn(
    workerd,
    ['serve', '--experimental', '--import-path=/', '--control-fd=3', `--socket-addr=http=${host}:${port}`, config],
    { stdio: ['ignore', 'inherit', 'pipe', 'pipe'] },
  )
  createInterface(served.stderr as Readable).on('line', said)
  const ended = new Promise<void>((done) => {
    served.once('exit', () => {
      rmSync(directory, { recursive: true, force: true })
      done()
    })
  })
  // Tells on which port it listens.
  const listening = new Promise<number>((done) => {
    createInterface(served.stdio[3] as Readable).on('line', (line) => {
      const told = JSON.parse(line) as { event: string; port?: number }
      if (told.event === 'listen' && told.port !== undefined) done(told.port)
    })
  })
  const bound = await Promise.race([listening, ended])
  if (bound === undefined) throw new Error('workerd ended before it listened')
  return { port: bound, process: served, ended }
}

function configOf(bundle: string, storage: string | undefined, variables: Serving['variables']): string {
  const text = JSON.stringify
  const module = (name: string, kind: string) => `(name = ${text(name)}, ${kind} = embed ${text(join(bundle, name))})`
  const bindings = Object.entries(variables).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`)
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
    (name = "dashboard", disk = (path = ${text(join(root, 'dist/dashboard'))})),
    ${storage === undefined ? '' : `(name = "storage", disk = (path = ${text(storage)}, writable = true)),`}
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${module('worker.js', 'esModule')}, ${module(SQLITE, 'wasm')}],
  compatibilityDate = "${COMPATIBILITY.date}",
  compatibilityFlags = ${text(COMPATIBILITY.flags)},
  durableObjectNamespaces = [(className = "WorldObject", uniqueKey = "mfano-worlds", enableSql = true)],
  durableObjectStorage = (${storage === undefined ? 'inMemory = void' : 'localDisk = "storage"'}),
  bindings = [
    ${['(name = "WORLDS", durableObjectNamespace = "WorldObject")', '(name = "ASSETS", service = "dashboard")', ...bindings].join(',\n    ')}
  ],
);
`
}

/** The runtime that it is written for. `nodejs_compat`: for scrypt, by which worlds of either host know passwords. */
const COMPATIBILITY = { date: '2026-01-01', flags: ['nodejs_compat', 'enable_request_signal'] } as const
