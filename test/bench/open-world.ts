import type { Send } from '../../src/core/host.ts'
import type { Scenario } from '../../src/core/scenario.ts'
import { World } from '../../src/core/world.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { nodeHost } from '../../src/hosts/node/simulator.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { paymentsService } from '../../src/service/service.ts'

export interface OpenOptions {
  /** Of a new world, which must have one; one that is there has its own. */
  scenario?: Scenario
  /** Stands in for the network. By default nobody ever answers. */
  send?: Send
  onTransition?: () => void
  onAttempt?: (error: string | null) => void
}

/** The world `default` of a file, its clock standing still; as durable as it is by default. */
export function openWorld(file: string, options: OpenOptions = {}): World {
  const library = scenarioLibrary()
  const host = nodeHost({})
  return new World({
    service: paymentsService,
    id: 'default',
    sql: openSqlite(file, 'process'),
    host: { ...host, connections: () => ({ send: options.send ?? (() => new Promise(() => {})), close: () => {} }) },
    observer: {
      happened: (what) => {
        if (what.type === 'payment') options.onTransition?.()
        else if (what.type === 'callback' && what.attempt) options.onAttempt?.(what.attempt.error)
      },
      error: (error, doing) => {
        throw new Error(`failed: ${doing}`, { cause: error })
      },
    },
    loadScenario: (stored) => {
      if (options.scenario) return options.scenario
      const { source, file } = stored()
      return library.parse(source, file)
    },
    origin: {
      seed: 1,
      clock: { mode: 'frozen', rate: 1, startUs: Date.UTC(2025, 0, 24, 16, 28) * 1000 },
    },
  })
}
