/** Creates a world for each run of a judge and removes it afterwards. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { parseDocument } from 'yaml'
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'
import type { Scenario } from '../../core/scenario.ts'
import type { Authority } from '../../hosts/node/authority.ts'
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { type RunningSimulator, startSimulator } from '../../hosts/node/simulator.ts'
import { ownFolder } from '../app/own-folder.ts'

export interface OwnWorld {
  baseUrl: string
  credentials: { apiKey: string; apiSecret: string; companyId: string }
  control: Control
}

export async function inNewWorld<Result>(
  url: string,
  body: ControlBody<'POST', '/worlds'>,
  work: (world: OwnWorld) => Promise<Result>,
): Promise<Result> {
  const server = controlOf(url)
  const made = await server('POST', '/worlds', { body })
  try {
    return await work({ ...made, control: controlOf(made.baseUrl) })
  } finally {
    await server('DELETE', '/worlds/:id', { path: { id: made.id } }).catch(() => {})
  }
}

/** The world and those that the subject made below its address, which stay until the world is deleted. */
export async function withWorldsBelow(control: Control): Promise<Control[]> {
  const { worlds } = await control('GET', '/worlds')
  return [control, ...worlds.map(({ baseUrl }) => controlOf(baseUrl))]
}

/** Returns undefined if the work was aborted. */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  if (signal.aborted) return undefined
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

export async function inTurns<Item>(
  items: readonly Item[],
  { jobs, signal }: { jobs: number; signal: AbortSignal },
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) {
      if (signal.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: jobs }, worker))
}

// Starts an in-memory mfano on a free port for a judge, and stops it afterwards.

export async function withOwnServer<Result>(
  worlds: number,
  work: (simulator: RunningSimulator) => Promise<Result>,
  { tls }: { tls: boolean } = { tls: false },
): Promise<Result> {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', tls: String(tls) })
  const openWorlds = Math.max(settings.openWorlds, worlds + 1)
  const simulator = await startSimulator({ ...settings, openWorlds }, silentLog, { keepsBelow: true })
  try {
    return await work(simulator)
  } finally {
    await simulator.close()
  }
}

// Lets a judged app or suite trust mfano's HTTPS, and gives its receiver a certificate.

/** The variables are valid while `work` runs. Empty if mfano serves no TLS. */
async function withTrust<Result>(
  authority: Authority | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (!authority) return work({})
  const folder = ownFolder('tls')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text, { mode: 0o600 })
    return join(folder.path, name)
  }
  try {
    const { key, certificate } = await authority.issue(['localhost', '127.0.0.1', '::1'])
    const own = file('ca.pem', authority.certificate)
    // For those whose variable takes the place of what they trust.
    const all = file('ca-bundle.pem', [...getCACertificates('default'), authority.certificate].join('\n'))
    return await work({
      NODE_EXTRA_CA_CERTS: own,
      SSL_CERT_FILE: all,
      REQUESTS_CA_BUNDLE: all,
      CURL_CA_BUNDLE: all,
      PAYMENTS_CA: own,
      CALLBACK_CERT: file('receiver.pem', certificate),
      CALLBACK_KEY: file('receiver-key.pem', key),
    })
  } finally {
    folder.remove()
  }
}

/** Variables that tell a subject where mfano is, and whom to trust. */
interface Told {
  suite: { env: Readonly<Record<string, string>> }
  merchant?: { env: Readonly<Record<string, string>> } | undefined
}

interface Server<S extends Told> {
  /** Where a judge asks: over HTTP, because it needs to trust nobody. */
  url: string
  told: S
  /** A world as the subject sees it. */
  seen<World extends { baseUrl: string }>(world: World): World
}

/** Starts a mfano for a subject, which is told of it over HTTPS where `tls` says so. */
export function withServerFor<S extends Told, Result>(
  subject: S,
  { worlds, tls }: { worlds: number; tls: boolean },
  work: (server: Server<S>) => Promise<Result>,
): Promise<Result> {
  return withOwnServer(
    worlds,
    ({ baseUrl, authority }) =>
      withTrust(authority, (trust) =>
        work({
          url: baseUrl.replace(/^https:/, 'http:'),
          told: withEnv(subject, trust),
          seen: (world) => (tls ? { ...world, baseUrl: overTls(world.baseUrl) } : world),
        }),
      ),
    { tls },
  )
}

/** The subject's own variables win. */
function withEnv<S extends Told>(subject: S, env: Readonly<Record<string, string>>): S {
  const { suite, merchant } = subject
  return {
    ...subject,
    suite: { ...suite, env: { ...env, ...suite.env } },
    ...(merchant && { merchant: { ...merchant, env: { ...env, ...merchant.env } } }),
  }
}

/** HTTPS uses the same port as HTTP. */
function overTls(baseUrl: string): string {
  return baseUrl.replace(/^http:/, 'https:')
}

// Builds the scenario text for a world with other assumptions.

export type Variant = Pick<ControlBody<'POST', '/worlds'>, 'scenario' | 'parameters'>

/**
 * Also replaces callback faults if `faults` are given. A shipped scenario is extended by name, so that a server need
 * not parse all of it each time.
 */
export function variantsOf(
  scenario: Scenario,
): (assumptions: Readonly<Record<string, string>>, faults?: readonly object[]) => Variant {
  const { source, parameters } =
    scenario.file === undefined
      ? {
          source: JSON.stringify({ name: scenario.name, description: 'As shipped.', extends: scenario.name }),
          parameters: {},
        }
      : scenario.sendable()
  return (assumptions, faults) => {
    const document = parseDocument(source)
    for (const [id, value] of Object.entries(assumptions)) document.setIn(['assumptions', id], value)
    if (faults) document.setIn(['callbacks', 'faults'], faults)
    return { scenario: document.toString({ lineWidth: 0 }), parameters }
  }
}
