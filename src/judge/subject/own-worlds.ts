import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { type Control, type ControlBody, controlOf } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import type { Gate, Post, PostResult, Send } from '../../core/host.ts'
import type { GivenParameters } from '../../core/model/assumption.ts'
import type { Scenario } from '../../core/scenario.ts'
import type { Authority } from '../../hosts/node/authority.ts'
import { silentLog } from '../../hosts/node/log.ts'
import { settingsOf } from '../../hosts/node/settings.ts'
import { startSimulator } from '../../hosts/node/simulator.ts'
import type { Surroundings } from '../app/app-process.ts'
import { type OwnFolder, ownFolder } from '../app/own-folder.ts'

/** Every world of an app begins then, so that results do not depend on the day of the run. */
export const BEGINNING = '2025-01-24T16:28:00'

export interface OwnWorld extends Surroundings {
  id: string
  control: Control
}

export type JudgeServer = Awaited<ReturnType<typeof openServer>>

export class WorldRefused extends Error {}

export async function makeWorld(server: JudgeServer, body: ControlBody<'POST', '/worlds'>): Promise<OwnWorld> {
  const { simulator, tls, env } = server
  const { id, baseUrl, credentials } = await server.control('POST', '/worlds', { body }).catch((error) => {
    throw error instanceof MfanoError && error.status === 400
      ? new WorldRefused(error.details || error.message, { cause: error })
      : error
  })
  const control = controlOf(baseUrl, { fetch: simulator.fetch })
  // HTTPS uses the same port as HTTP.
  return { id, baseUrl: tls ? baseUrl.replace(/^http:/, 'https:') : baseUrl, credentials, env, control }
}

export async function removeWorld(server: JudgeServer, id: string): Promise<void> {
  await server.control('DELETE', '/worlds/:id', { path: { id } }).catch(() => {})
}

export async function withWorldsBelow(control: Control): Promise<Control[]> {
  const { worlds } = await control('GET', '/worlds')
  return [control, ...worlds.map(({ baseUrl }) => controlOf(baseUrl))]
}

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

/** Has only so much work under way at a time. */
export class Turns {
  #free: number
  readonly #first: (() => void)[] = []
  readonly #others: (() => void)[] = []
  #isHeld = false

  constructor(most: number) {
    this.#free = most
  }

  async take<T>(work: () => Promise<T>, { first } = { first: false }): Promise<T> {
    await new Promise<void>((resolve) => {
      const waiting = first ? this.#first : this.#others
      waiting.push(resolve)
      this.#go()
    })
    try {
      return await work()
    } finally {
      this.#free++
      this.#go()
    }
  }

  /** Until this has ended, only what is `first` begins. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#isHeld = true
    try {
      return await work()
    } finally {
      this.#isHeld = false
      this.#go()
    }
  }

  #go(): void {
    while (this.#free > 0) {
      const next = this.#first.shift() ?? (this.#isHeld ? undefined : this.#others.shift())
      if (!next) return
      this.#free--
      next()
    }
  }
}

/** Close it when done. */
export async function openServer(worlds: number, tls = false) {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', tls: String(tls) })
  const openWorlds = Math.max(settings.openWorlds, worlds + 1)
  const crossing = new Crossing()
  const simulator = await startSimulator({ ...settings, openWorlds }, silentLog, { keepsBelow: true, gate: crossing })
  const trust = simulator.authority && (await trustIn(simulator.authority))
  // Over HTTP, because a judge need not trust anybody.
  const control = controlOf(simulator.baseUrl.replace(/^https:/, 'http:'), { fetch: simulator.fetch })
  const close = async () => {
    await simulator.close()
    trust?.folder.remove()
  }
  return { simulator, crossing, control, tls, env: trust?.env ?? {}, close }
}

/** Lets a subject trust mfano's HTTPS, and gives its receiver a certificate. Valid until the folder is removed. */
async function trustIn(authority: Authority): Promise<{ folder: OwnFolder; env: OwnWorld['env'] }> {
  const folder = ownFolder('tls')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text, { mode: 0o600 })
    return join(folder.path, name)
  }
  const { key, certificate } = await authority.issue(['localhost', '127.0.0.1', '::1'])
  const own = file('ca.pem', authority.certificate)
  // For those whose variable takes the place of what they trust.
  const all = file('ca-bundle.pem', [...getCACertificates('default'), authority.certificate].join('\n'))
  const env = {
    NODE_EXTRA_CA_CERTS: own,
    SSL_CERT_FILE: all,
    REQUESTS_CA_BUNDLE: all,
    CURL_CA_BUNDLE: all,
    PAYMENTS_CA: own,
    CALLBACK_CERT: file('receiver.pem', certificate),
    CALLBACK_KEY: file('receiver-key.pem', key),
  }
  return { folder, env }
}

export interface PassingRequest {
  method: string
  path: string
  answer(): Response | Promise<Response>
  over(): Promise<void>
}

interface Lane {
  request(passing: PassingRequest): Promise<Response>
  callback(post: Post, send: Send): Promise<PostResult>
}

export class Crossing implements Gate {
  /** By the name of a world, and by the port of an app. */
  readonly #lanes = new Map<string | number, Lane>()

  open(lane: Lane, ...names: readonly (string | number)[]): void {
    for (const name of names) this.#lanes.set(name, lane)
  }

  close(lane: Lane): void {
    for (const [name, one] of this.#lanes) if (one === lane) this.#lanes.delete(name)
  }

  request: Gate['request'] = (request, answer, over) => {
    const [, world = 'default', path = '/'] = /^\w+:\/\/[^/]+(?:\/w\/([^/?]+))?(.*)$/.exec(request.url) ?? []
    const lane = path.startsWith('/_mfano') ? undefined : this.#lanes.get(world)
    return lane ? lane.request({ method: request.method, path, answer, over }) : answer()
  }

  callback: Gate['callback'] = (post, send) => {
    const lane = this.#lanes.get(Number(URL.parse(post.url)?.port))
    return lane ? lane.callback(post, send) : send(post)
  }
}

/** A shipped scenario is extended by name, so that a server need not parse all of it each time. */
export function worldOf(scenario: Scenario): { scenario: string; parameters: GivenParameters } {
  const { name, file } = scenario
  if (file === undefined)
    return { scenario: JSON.stringify({ name, description: 'As shipped.', extends: name }), parameters: {} }
  const { source, parameters } = scenario.sendable()
  return { scenario: source, parameters }
}
