/**
 * mfano outside Node: one world is one Durable Object, its SQLite storage the database, its alarm the agenda.
 * Only what this file hands in is different; the rest is the program as it is. Bundled by the test beside it.
 */
import { DurableObject } from 'cloudflare:workers'
import defaultYaml from '../../scenarios/default.yaml'
import { loadScenario } from '../../src/scenarios/load.ts'
import { front } from '../../src/server/front.ts'
import { paymentsService } from '../../src/service/service.ts'
import type { Sql, SqlValue, Statement } from '../../src/store/sql.ts'
import type { Databases } from '../../src/world/databases.ts'
import type { Host } from '../../src/world/host.ts'
import { memorySnapshotStore } from '../../src/world/snapshot-store.ts'
import { Worlds } from '../../src/world/worlds.ts'
import scenarioYaml from './quick.yaml'

interface SqlStorage {
  exec(text: string, ...parameters: SqlValue[]): { toArray(): unknown[] }
}
interface Storage {
  sql: SqlStorage
  transactionSync<T>(work: () => T): T
  setAlarm(atMs: number): void
}

/** The SQL port on a Durable Object's storage. Nested transactions are savepoints there too. */
function portOf(storage: Storage): Sql {
  const rows = <Row>(text: string, parameters: SqlValue[]) => storage.sql.exec(text, ...parameters).toArray() as Row[]
  return {
    prepare: <Row>(text: string): Statement<Row> => ({
      get: (...parameters) => rows<Row>(text, parameters)[0],
      all: (...parameters) => rows<Row>(text, parameters),
      run: (...parameters) => {
        rows(text, parameters)
      },
    }),
    exec: (script) => {
      storage.sql.exec(script)
    },
    transaction: (work) => storage.transactionSync(work),
    close: () => {},
  }
}

/** One world, whose draft is the storage itself: it is made by the first request, in one transaction. */
function databasesOf(storage: Storage): Databases {
  const sql = portOf(storage)
  const stored = () =>
    sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").all().length > 0 &&
    sql.prepare("SELECT 1 FROM meta WHERE key = 'origin'").all().length > 0
  return {
    list: () => (stored() ? ['default'] : []),
    open: () => sql,
    draft: (image) => {
      if (image || stored()) throw new Error('This storage holds one world, and makes no other')
      return sql
    },
    ready: async () => {},
    discard: () => {},
    put: (_id, _draft, use) => use(sql),
    remove: () => {},
  }
}

function hostOf(storage: Storage, rings: Map<() => void, number>): Host {
  return {
    wallUs: () => Date.now() * 1000,
    defer: (work) => queueMicrotask(work),
    // The storage has one alarm: it is set for the first that is due.
    alarm: (afterMs, ring) => {
      rings.set(ring, Date.now() + afterMs)
      storage.setAlarm(Math.min(...rings.values()))
      return () => rings.delete(ring)
    },
    connections: () => ({
      send: async ({ url, headers, body }) => {
        const answer = await fetch(url, { method: 'POST', headers, body })
        return { status: answer.status, body: await answer.text(), tookMs: 0 }
      },
      close: () => {},
    }),
    hashPassword: async () => {
      throw new Error('This test makes no sub-accounts')
    },
    verifyPassword: async () => false,
  }
}

/** Shipped scenarios by name; the bundle holds their texts. */
const texts: Record<string, string> = { default: defaultYaml, quick: scenarioYaml }
const read = (name: string) => (texts[name] === undefined ? undefined : { file: `${name}.yaml`, text: texts[name] })
const load = (name: string) => loadScenario(texts[name] ?? '', { file: `${name}.yaml`, read, service: paymentsService })

export class SandboxWorld extends DurableObject {
  readonly #rings = new Map<() => void, number>()
  readonly #worlds: Worlds
  readonly #answer: (request: Request) => Response | Promise<Response>

  constructor(state: { storage: Storage }, env: unknown) {
    super(state, env)
    this.#worlds = new Worlds({
      service: paymentsService,
      databases: databasesOf(state.storage),
      snapshotStore: memorySnapshotStore(),
      host: hostOf(state.storage, this.#rings),
      library: {
        names: [],
        find: load,
        shipped: load,
        parse: (source) => loadScenario(source, { file: 'scenario', read, service: paymentsService }),
      },
      observer: () => ({ happened() {}, error: (error, doing) => console.error(doing, error) }),
      scenario: 'quick',
      scenarioWins: false,
      openMax: 1,
      version: 'test',
    })
    this.#answer = front({
      service: paymentsService,
      worlds: this.#worlds,
      adminToken: undefined,
      publicUrl: 'http://mfano.example',
      observe: ({ error }) => error && console.error(error),
      nowMs: () => Date.now(),
      version: 'test',
    })
  }

  override fetch(request: Request): Response | Promise<Response> {
    return this.#answer(request)
  }

  /** Woken by the storage: either we are still in memory and were waiting, or the constructor has just looked itself. */
  override async alarm(): Promise<void> {
    const rings = [...this.#rings.keys()]
    this.#rings.clear()
    // Whoever was not due yet sets his alarm again.
    for (const ring of rings) ring()
    await this.#worlds.default.deliverer.whenIdle()
  }
}

interface Bindings {
  WORLDS: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } }
}

export default {
  fetch: (request: Request, env: Bindings) => env.WORLDS.get(env.WORLDS.idFromName('default')).fetch(request),
}
