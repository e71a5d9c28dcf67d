/** A world without a server, for tests that put many questions to its insides, and ways to look at all of it. */
import type { Host } from '../../src/core/host.ts'
import type { Plan } from '../../src/core/model/payment.ts'
import { Refusal } from '../../src/core/model/refusal.ts'
import { parseInstant } from '../../src/core/model/time.ts'
import type { Origin } from '../../src/core/new-world.ts'
import type { Command } from '../../src/core/perform.ts'
import type { Scenario } from '../../src/core/scenario.ts'
import type { Sql } from '../../src/core/sql.ts'
import { World } from '../../src/core/world.ts'
import { packWorld, unpackWorld } from '../../src/core/world-image.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { openSqlite, openSqliteCopy } from '../../src/hosts/node/sqlite.ts'
import type { Chosen } from '../../src/service/assumptions/assumptions.ts'
import { paymentsService } from '../../src/service/service.ts'
import { START } from './harness.ts'

/** What a test decides for a payment, in the request itself: its plan, or that it is refused. */
export type ResponseFault = Partial<Omit<Plan, 'rule' | 'trace'>> & { refused?: boolean }

/** A scenario that does with every payment what its request asks for under `fate`. */
export function fatedScenario(
  change: Partial<Pick<Scenario, 'wallets' | 'callbacks'>> & { assumptions?: Partial<Chosen> } = {},
): Scenario {
  const base = scenarioLibrary().shipped('default')
  return {
    ...base,
    ...change,
    assumptions: { ...base.assumptions, ...change.assumptions },
    decide: ({ request }) => {
      const { refused, ...fate } = (request['fate'] ?? {}) as ResponseFault
      if (refused)
        return {
          refuse: {
            rule: 'fate',
            trace: '',
            status: 503,
            code: 'SERVICE_UNAVAILABLE',
            message: undefined,
            details: undefined,
          },
          counted: [],
        }
      return {
        plan: {
          rule: 'fate',
          trace: '',
          afterUs: null,
          end: 'SUCCESS',
          with: {},
          revise: null,
          payAfterUs: null,
          ...fate,
        },
        counted: [],
      }
    },
  }
}

/** The command that makes a payout of a shilling to a phone. */
export function payout(changes: Partial<Command<'open-payment'>> = {}) {
  return {
    command: 'open-payment',
    kind: 'send-money',
    organisationId: 1,
    currency: 'KES',
    amountMinor: 100,
    ...changes,
    request: { phoneNumber: '254712345678', amount: 1, remarks: 'a', occasion: 'b', ...changes.request },
  } as const
}

/** Opens a frozen world in memory, or on a database that a test has at hand. Its callbacks go to `answer`. */
export function openWorld(
  scenario: Scenario,
  options: {
    sql?: Sql
    answer?: (url: string) => number
    host?: Partial<Host>
    clock?: Partial<Origin['clock']>
    failed?: (error: unknown) => void
  } = {},
): World {
  return new World({
    service: paymentsService,
    id: 'inside',
    sql: options.sql ?? openSqlite(':memory:'),
    host: {
      wallUs: () => 0,
      defer: (work) => {
        setImmediate(work)
      },
      alarm: () => () => {},
      connections: () => ({
        send: async ({ url }) => ({ status: options.answer?.(url) ?? 200, body: '', tookMs: 0 }),
        close: () => {},
      }),
      ...options.host,
    },
    observer: {
      happened: () => {},
      error: (error) => {
        if (!options.failed) throw error
        options.failed(error)
      },
    },
    loadScenario: () => scenario,
    origin: {
      seed: 1,
      clock: { mode: 'frozen', rate: 1, startUs: parseInstant(START) as number, ...options.clock },
    },
  })
}

/** Everything that a world has stored, and the balances it keeps in memory. Real time, salts and counters at zero aside. */
export function dump({ core: { store, ledger } }: World): Record<string, unknown[]> {
  const tables = store.sql
    .prepare<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    // How far it has come depends on who looked for a reference, and changes nothing that is found.
    .filter(({ name }) => name !== 'referenced')
  const rows = tables.map(({ name }) => [
    name,
    store.sql
      .prepare<Record<string, unknown>>(`SELECT * FROM ${name} ORDER BY 1, 2`)
      .all()
      .filter((row) => row['value'] !== 0 && row['key'] !== 'referenced')
      .map(steady),
  ])
  return {
    ...Object.fromEntries(rows),
    'balances in memory': ledger.accounts().map((account) => ({ ...account })),
  }
}

function steady(row: Record<string, unknown>): Record<string, unknown> {
  if (row['key'] === 'clock') return { ...row, value: { ...JSON.parse(row['value'] as string), wallUs: 0 } }
  if ('tookMs' in row) return { ...row, tookMs: 0 }
  return row
}

/** What came of a command: its result, or the code of its refusal. Anything else that is thrown is a fault, and stays one. */
export async function outcomeOf<T>(
  doing: Promise<T>,
): Promise<{ result: T; refused?: undefined } | { refused: string; status: number; result?: undefined }> {
  try {
    return { result: await doing }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code, status: error.status }
    throw error
  }
}

/** A world file with something done to its database, and a checksum that is right. */
export async function changedFile(file: Uint8Array, change: (sql: Sql) => void): Promise<Uint8Array> {
  const { identity, image } = await unpackWorld(file)
  const sql = openSqliteCopy(image)
  change(sql)
  const other = sql.serialize()
  sql.close()
  return packWorld({ identity: { ...identity, bytes: other.length }, image: other })
}
