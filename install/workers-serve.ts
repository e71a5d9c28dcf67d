/** Runs the bundled worker in workerd, the open runtime of Cloudflare Workers: on this machine, without a network. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { BUNDLED, SQLITE } from './workers-bundle.ts'

const root = join(import.meta.dirname, '..')
/** How it is deployed. */
export const DEPLOYMENT = join(root, 'src/hosts/workers/wrangler.jsonc')

/** How the worker is run. */
export interface Serving {
  /** Where its bundle lies. */
  bundle?: string
  /** 0: a free one. */
  port: number
  host?: string
  /** A directory for the storage of all objects; with `:memory:` it is gone when workerd ends. */
  data: string
  /** Variables of the worker. */
  variables: Readonly<Record<string, string>>
  /** Compatibility flags besides those that it is deployed with. */
  flags?: readonly string[]
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
  flags = [],
  said,
}: Serving): Promise<ServedWorker> {
  const { default: workerd } = createRequire(join(root, 'test/package.json'))('workerd') as { default: string }
  const directory = mkdtempSync(join(tmpdir(), 'mfano-workerd-'))
  const config = join(directory, 'config.capnp')
  // In memory objects have no SQLite.
  const storage = data === ':memory:' ? join(directory, 'objects') : resolve(data)
  mkdirSync(storage, { recursive: true })
  writeFileSync(config, configOf(bundle, storage, variables, flags))
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

/** The part of the deployment's configuration that is used here. */
interface Deployment {
  compatibility_date: string
  compatibility_flags: readonly string[]
  durable_objects: { bindings: readonly { name: string; class_name: string }[] }
  assets: { binding: string }
}

/** The configuration that it is deployed by: here it runs as there. */
function deployment(): Deployment {
  const text = readFileSync(DEPLOYMENT, 'utf8')
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as Deployment
}

/** The configuration of workerd, in Cap'n Proto's words. */
function configOf(bundle: string, storage: string, variables: Serving['variables'], more: readonly string[]): string {
  const { compatibility_date: date, compatibility_flags: flags, durable_objects: objects, assets } = deployment()
  const text = JSON.stringify
  const list = (items: readonly string[]) => `[\n    ${items.join(',\n    ')}\n  ]`
  const module = (name: string, kind: string) => `(name = ${text(name)}, ${kind} = embed ${text(join(bundle, name))})`
  const namespaces = objects.bindings.map(
    ({ class_name: name }) => `(className = ${text(name)}, uniqueKey = ${text(name)}, enableSql = true)`,
  )
  const bindings = [
    ...objects.bindings.map((one) => `(name = ${text(one.name)}, durableObjectNamespace = ${text(one.class_name)})`),
    `(name = ${text(assets.binding)}, service = "dashboard")`,
    ...Object.entries(variables).map(([name, value]) => `(name = ${text(name)}, text = ${text(value)})`),
  ]
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
    (name = "dashboard", disk = (path = ${text(join(root, 'dist/dashboard'))})),
    (name = "storage", disk = (path = ${text(storage)}, writable = true)),
  ],
  sockets = [(name = "http", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = ${list([module('worker.js', 'esModule'), module(SQLITE, 'wasm')])},
  compatibilityDate = ${text(date)},
  compatibilityFlags = ${text([...flags, ...more])},
  durableObjectNamespaces = ${list(namespaces)},
  durableObjectStorage = (localDisk = "storage"),
  bindings = ${list(bindings)},
);
`
}
