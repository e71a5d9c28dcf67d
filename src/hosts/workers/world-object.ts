/** One world as a Durable Object: its storage is the database, its alarm wakes it when something falls due. */
import { DurableObject } from 'cloudflare:workers'
import { version } from 'mfano:package'
import type { Observer } from '../../engine/core.ts'
import { front } from '../../server/front.ts'
import { paymentsService } from '../../service/service.ts'
import { DEFAULT_WORLD } from '../../world/names.ts'
import { libraryOf } from '../../world/scenario-library.ts'
import { memorySnapshotStore } from '../../world/snapshot-store.ts'
import { summaryOf, wakesAfterMs } from '../../world/world-summary.ts'
import { Worlds } from '../../world/worlds.ts'
import type { Bindings } from './bindings.ts'
import { bundledDocs, bundledScenarios } from './bundled.ts'
import { memorySqlite } from './memory-sqlite.ts'
import { objectDatabases } from './object-databases.ts'
import type { ObjectState } from './object-state.ts'
import { workersHost } from './workers-host.ts'

/** What is under way may take so long before the alarm looks whether it was lost. */
const RESCUE_MS = 5_000

const library = libraryOf(paymentsService, bundledScenarios)

/** A world. */
export class WorldObject extends DurableObject<Bindings> {
  #worlds: Worlds | undefined
  #answer: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 })
  /** When the alarm rings, or rang without having been heard yet. */
  #alarmMs: number | undefined
  /** Whether it is known what it was opened for: an alarm that rings must not be set anew before it is heard. */
  #asked = false

  constructor(ctx: ObjectState, env: Bindings) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(() => this.#open())
  }

  async #open(): Promise<void> {
    const { storage, id } = this.ctx
    // After an alarm the runtime may not know it.
    const name = id.name ?? storage.kv.get<string>('name') ?? DEFAULT_WORLD
    const memory = await memorySqlite()
    this.#alarmMs = (await storage.getAlarm()) ?? undefined
    const { MFANO_SCENARIO: scenario = 'default', MFANO_ADMIN_TOKEN, MFANO_BASE_URL, MFANO_CALLBACK_HOST } = this.env
    const worlds = new Worlds({
      service: paymentsService,
      databases: objectDatabases(name, storage, memory, () => this.#committing()),
      snapshotStore: memorySnapshotStore(),
      host: workersHost(fetch, MFANO_CALLBACK_HOST),
      library,
      observer: observerOf,
      scenario,
      scenarioWins: false,
      openMax: 1,
      version,
      home: name,
    })
    this.#worlds = worlds
    this.#answer = front({
      service: paymentsService,
      worlds,
      adminToken: MFANO_ADMIN_TOKEN,
      publicUrl: MFANO_BASE_URL,
      observe: ({ error, world }) => {
        if (error !== undefined) observerOf(world).error(error, 'answering a request')
      },
      nowMs: () => Date.now(),
      version,
      docs: bundledDocs,
    })
  }

  override fetch(request: Request): Response | Promise<Response> {
    if (!this.#asked) {
      this.#asked = true
      this.#committing()
    }
    return this.#answer(request)
  }

  /** Woken by the storage: what is due has been looked at when the world was opened, or is now. */
  override async alarm(): Promise<void> {
    this.#asked = true
    this.#alarmMs = undefined
    for (const world of this.#worlds?.open ?? []) {
      world.timekeeper.wake()
      await world.deliverer.whenIdle()
    }
    this.#committing()
  }

  /** Has the alarm ring when the next thing falls due: stored with what made it due, it is lost with that or not at all. */
  #committing(): void {
    const [world] = this.#worlds?.open ?? []
    const afterMs = world && wakesAfterMs(summaryOf(world), world.host.wallUs)
    if (afterMs === undefined || !this.#asked) return
    const atMs = Date.now() + (afterMs > 0 ? afterMs : RESCUE_MS)
    if (this.#alarmMs !== undefined && this.#alarmMs <= atMs) return
    this.#alarmMs = atMs
    void this.ctx.storage.setAlarm(atMs)
  }
}

function observerOf(world: string): Observer {
  return {
    happened: () => {},
    error: (error, doing) => console.error(JSON.stringify({ level: 'error', world, doing, error: told(error) })),
  }
}

function told(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
