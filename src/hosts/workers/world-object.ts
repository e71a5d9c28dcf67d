/** One world as a Durable Object: its storage is the database, its alarm wakes it when something is due. */
import { DurableObject } from 'cloudflare:workers'
import { documents, scenarios, version } from 'mfano:package'
import { loadedLibraries } from '../../core/loaded-libraries.ts'
import { must } from '../../core/model/must.ts'
import { nameAndValue } from '../../core/model/text.ts'
import { DEFAULT_WORLD } from '../../core/new-world.ts'
import { libraryOf, type ScenarioTexts } from '../../core/scenario-library.ts'
import { summaryOf, wakesAfterMs } from '../../core/world.ts'
import { Worlds, type WorldsOptions } from '../../core/worlds.ts'
import { front } from '../../server/front.ts'
import { type AnswerAgent, assetType, type BuiltFiles } from '../../server/front-ports.ts'
import { paymentsService } from '../../service/service.ts'
import { wallNowMs } from '../node/wall.ts'
import type { Bindings, ObjectState, Reply } from './bindings.ts'
import {
  directoryOf,
  ObjectWorlds,
  type Question,
  reply,
  snapshotRows,
  type WorldDoor,
  worldDoor,
} from './object/object-worlds.ts'
import { memorySqlite, objectDatabases } from './object/storage-sql.ts'
import { workersHost } from './object/workers-host.ts'

/** Real milliseconds after which the alarm checks whether work was lost. */
const RESCUE_MS = 5_000

const bundledScenarios: ScenarioTexts = {
  known: Object.keys(scenarios).sort(),
  readShipped: (name) => {
    const text = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined
    return text === undefined ? undefined : { file: `scenarios/${name}.yaml`, text }
  },
  readFile: () => undefined,
  resolve: (path) => path,
  libraries: loadedLibraries,
}

const library = libraryOf(paymentsService, bundledScenarios)

interface Opened {
  id: string
  worlds: Worlds
  door: WorldDoor
  answer(request: Request): Response | Promise<Response>
}

export abstract class WorldObjectBase extends DurableObject<Bindings> {
  #opened: Opened | undefined
  #others: readonly string[] = []
  #alarmMs: number | undefined
  /** False until the object knows why it was opened: an alarm that rang must not be set again before it is handled. */
  #asked = false

  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      this.#opened = await this.#open()
    })
  }

  /** Answers MCP clients. The deployment passes it in, because it belongs to a higher room. */
  protected abstract answerAgent(...asked: Parameters<AnswerAgent>): Promise<Response>

  async #open(): Promise<Opened> {
    const { storage } = this.ctx
    const id = this.ctx.id.name ?? storage.kv.get<string>('name') ?? DEFAULT_WORLD
    const memory = await memorySqlite()
    this.#alarmMs = (await storage.getAlarm()) ?? undefined
    const { MFANO_ADMIN_TOKEN: adminToken, MFANO_BASE_URL: publicUrl, MFANO_CALLBACK_HOST, ASSETS } = this.env
    const worlds = new Worlds({
      service: paymentsService,
      databases: objectDatabases(id, storage, memory, () => this.#committing()),
      snapshotStore: snapshotRows(id, storage),
      host: workersHost({
        ask: (address, init) => this.#fetch(address, init),
        own: () => this.#origin(),
        callbackHost: MFANO_CALLBACK_HOST,
      }),
      library,
      observer: (world) => ({ happened: () => {}, error: (error, doing) => failed(world, error, doing) }),
      ...usualOf(this.env),
      openMax: 1,
      version,
      home: id,
      others: () => this.#others,
    })
    const server = new ObjectWorlds(worlds, this.env)
    const answer = front({
      worlds,
      server,
      adminToken,
      publicUrl,
      observe: ({ error, world }) => {
        if (error !== undefined) failed(world, error, 'answering a request')
      },
      nowMs: wallNowMs,
      version,
      docs: bundledDocs,
      agents: (request, backend) =>
        this.answerAgent(request, { ...backend, fetch: (address, init) => this.#fetchOwn(address, init) }),
      ...(ASSETS && { assets: deployedAssets(ASSETS) }),
    })
    return { id, worlds, door: worldDoor(id, worlds), answer }
  }

  override async fetch(request: Request): Promise<Response> {
    const { id, worlds, answer } = this.#begun()
    this.#note(new URL(request.url).origin)
    if (!worlds.has(id)) this.#others = await directoryOf(this.env).ids()
    return answer(request)
  }

  async ask(question: Question, given: readonly unknown[]): Promise<Reply> {
    const { id, worlds, door } = this.#begun()
    const before = worlds.has(id)
    const answer = await reply(door, question, given)
    if (worlds.has(id)) this.#committing()
    // For when an alarm wakes it, which does not tell what it is called.
    if (!before && worlds.has(id)) this.ctx.storage.kv.put('name', id)
    return answer
  }

  override async alarm(): Promise<void> {
    this.#asked = true
    this.#alarmMs = undefined
    for (const world of this.#opened?.worlds.open ?? []) {
      world.timekeeper.wake()
      await world.deliverer.whenIdle()
    }
    this.#committing()
  }

  #begun(): Opened {
    if (!this.#asked) {
      this.#asked = true
      this.#committing()
    }
    return must(this.#opened)
  }

  /** Sets the alarm for the next due time, in the transaction that made it due, so that both are stored or neither. */
  #committing(): void {
    const [world] = this.#opened?.worlds.open ?? []
    const afterMs = world && wakesAfterMs(summaryOf(world), world.host.wallUs)
    if (afterMs === undefined || !this.#asked) return
    const atMs = wallNowMs() + (afterMs > 0 ? afterMs : RESCUE_MS)
    if (this.#alarmMs !== undefined && this.#alarmMs <= atMs) return
    this.#alarmMs = atMs
    void this.ctx.storage.setAlarm(atMs)
  }

  #origin(): string | undefined {
    return this.env.MFANO_BASE_URL ?? this.ctx.storage.kv.get<string>('origin')
  }

  #note(origin: string): void {
    const { worlds, id } = this.#begun()
    if (worlds.has(id) && this.ctx.storage.kv.get('origin') !== origin) this.ctx.storage.kv.put('origin', origin)
  }

  /** A worker cannot reach its own address everywhere, so such requests go to the world's object directly. */
  #fetch(address: URL, init: RequestInit): Promise<Response> {
    const own = [this.env.MFANO_BASE_URL, this.ctx.storage.kv.get<string>('origin')]
    // Hosts, because an address of this machine that is moved here keeps its scheme.
    if (!own.some((one) => one !== undefined && address.host === new URL(one).host)) return fetch(address, init)
    return this.#fetchOwn(address, init)
  }

  #fetchOwn(address: URL | string | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(address, init)
    const { WORLDS } = this.env
    return WORLDS.get(WORLDS.idFromName(worldOf(new URL(request.url)))).fetch(request)
  }
}

export function worldOf({ pathname }: URL): string {
  return /^\/w\/([^/]+)/.exec(pathname)?.[1] ?? DEFAULT_WORLD
}

function failed(world: string, error: unknown, doing: string): void {
  console.error(JSON.stringify({ level: 'error', world, doing, error: describeError(error) }))
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

const bundledDocs: BuiltFiles = {
  find: async (name) =>
    Object.hasOwn(documents, name)
      ? { type: assetType(name), bytes: new TextEncoder().encode(documents[name]) }
      : undefined,
}

function deployedAssets(files: { fetch: typeof fetch }): BuiltFiles {
  return {
    // Plain: the platform compresses what it sends, and would compress a compressed copy once more.
    find: async (name) => {
      const answer = await files.fetch(`http://assets/${name}`)
      return answer.ok ? { type: assetType(name), bytes: new Uint8Array(await answer.arrayBuffer()) } : undefined
    },
  }
}

function usualOf({
  MFANO_SCENARIO,
  MFANO_SET,
  MFANO_RECORD,
}: Bindings): Pick<WorldsOptions, 'scenario' | 'parameters' | 'record'> {
  return {
    scenario: MFANO_SCENARIO || 'default',
    ...(MFANO_SET && { parameters: Object.fromEntries(MFANO_SET.trim().split('\n').map(nameAndValue)) }),
    record: MFANO_RECORD === 'true' || MFANO_RECORD === '1',
  }
}
