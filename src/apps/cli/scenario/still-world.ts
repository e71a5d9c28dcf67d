/** Opens a fresh world for predictions: its clock is frozen and nothing leaves it. */
import { detachedHost, type Host } from '../../../core/host.ts'
import type { InstantUs } from '../../../core/model/time.ts'
import { perform } from '../../../core/perform.ts'
import type { Scenario } from '../../../core/scenario.ts'
import { ensureSchema } from '../../../core/schema.ts'
import { World } from '../../../core/world.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { openSqliteCopy, sqliteImage } from '../../../hosts/node/sqlite.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { paymentsService } from '../../../service/service.ts'
import type { Arguments } from '../command.ts'
import { readParameters } from '../typed-values.ts'

/** Closes the world after use. `again` opens another one like it. */
export async function inStillWorld<T>(
  given: Arguments,
  use: (world: World, again: (host: Host) => World) => T | Promise<T>,
): Promise<T> {
  const [nameOrPath = ''] = given.words
  const scenario = scenarioLibrary().find(nameOrPath, readParameters(given))
  const seed = given.number('seed') ?? scenario.seed
  // All copies begin at the same instant, even if the scenario has no start.
  const startUs = scenario.clock.startUs ?? wallNowMs() * 1000
  const open = (host: Host) => openStillWorld({ scenario, seed, startUs }, host)
  const world = open(detachedHost(startUs))
  try {
    return await use(world, open)
  } finally {
    world.close()
  }
}

function openStillWorld(
  { scenario, seed, startUs }: { scenario: Scenario; seed: number; startUs: InstantUs },
  host: Host,
): World {
  const world = new World({
    id: 'asked',
    service: paymentsService,
    sql: openSqliteCopy(sqliteImage(ensureSchema)),
    host,
    observer: {
      happened: () => {},
      error: (error, doing) => {
        throw new Error(`failed: ${doing}`, { cause: error })
      },
    },
    loadScenario: () => scenario,
    origin: { seed, clock: { mode: 'frozen', rate: 1, startUs } },
  })
  // Whoever asks wants to see the callbacks of what customers pay in, too.
  world.commit.now(() =>
    perform(world.core, { command: 'set-collection-callback', organisationId: 1, url: 'http://merchant.invalid/paid' }),
  )
  return world
}
