/**
 * mfano outside Node: one world is one Durable Object, its SQLite storage the database, its alarm the agenda.
 * Only what this file hands in is different; the rest is the program as it is. Bundled by the test beside it.
 */
import { DurableObject } from 'cloudflare:workers'
import defaultYaml from '../../scenarios/default.yaml'
import { serviceApp } from '../../src/api/app.ts'
import type { Env as ServiceEnv } from '../../src/api/serve.ts'
import { loadScenario } from '../../src/scenarios/load.ts'
import type { Sql, SqlValue, Statement } from '../../src/store/sql.ts'
import type { Host } from '../../src/world/host.ts'
import { World } from '../../src/world/world.ts'
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

function hostOf(storage: Storage, rings: Set<() => void>): Host {
  return {
    wallUs: () => Date.now() * 1000,
    defer: (work) => queueMicrotask(work),
    alarm: (afterMs, ring) => {
      rings.add(ring)
      storage.setAlarm(Date.now() + afterMs)
      return () => rings.delete(ring)
    },
    send: async ({ url, headers, body }) => {
      const answer = await fetch(url, { method: 'POST', headers, body })
      return { status: answer.status, body: await answer.text(), tookMs: 0 }
    },
    hashPassword: async () => {
      throw new Error('This test makes no sub-accounts')
    },
  }
}

export class SandboxWorld extends DurableObject {
  readonly #rings = new Set<() => void>()
  readonly #world: World
  readonly #service = serviceApp()

  constructor(state: { storage: Storage }, env: unknown) {
    // biome-ignore lint/suspicious/noExplicitAny: the runtime's own types are not installed for one test
    super(state as any, env as any)
    const scenario = loadScenario(scenarioYaml, {
      file: 'quick.yaml',
      read: (name) => (name === 'default' ? { file: 'default.yaml', text: defaultYaml } : undefined),
    })
    this.#world = new World({
      id: 'default',
      sql: portOf(state.storage),
      host: hostOf(state.storage, this.#rings),
      observer: { transition() {}, attempt() {}, error: (error, doing) => console.error(doing, error) },
      loadScenario: () => scenario,
      origin: {
        scenario: { name: scenario.name, source: scenario.source },
        seed: scenario.seed,
        clock: scenario.clock,
      },
    })
  }

  override fetch(request: Request): Response | Promise<Response> {
    const url = new URL(request.url)
    const env: ServiceEnv['Bindings'] = {
      world: this.#world,
      baseUrl: url.origin,
      path: url.pathname + url.search,
      observe() {},
    }
    if (url.pathname === '/audit') return Response.json(this.#world.core.store.ledger.audit())
    return this.#service.fetch(request, env)
  }

  /** Woken by the storage: either we are still in memory and were waiting, or the constructor has just looked itself. */
  override async alarm(): Promise<void> {
    const rings = [...this.#rings]
    this.#rings.clear()
    for (const ring of rings) ring()
    await this.#world.deliverer.settled()
  }
}

interface Bindings {
  WORLDS: { idFromName(name: string): unknown; get(id: unknown): { fetch(request: Request): Promise<Response> } }
}

export default {
  fetch: (request: Request, env: Bindings) => env.WORLDS.get(env.WORLDS.idFromName('default')).fetch(request),
}
