/** A world to ask: it begins with a scenario, nothing has happened in it, its clock stands, and nothing leaves it. */
import { scenarioLibrary } from '../../hosts/node/scenarios.ts'
import { openSqliteCopy, sqliteImage } from '../../hosts/node/sqlite.ts'
import { wallNowMs } from '../../hosts/node/wall.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { toStored } from '../../scenarios/stored-scenario.ts'
import { paymentsService } from '../../service/service.ts'
import { migrate } from '../../store/migrate.ts'
import { World } from '../../world/world.ts'
import type { Arguments } from '../command.ts'
import { readParameters } from '../parameters.ts'
import { readSeed } from './question.ts'

/** Opens one for the scenario that the arguments name, lets it be used, and closes it. */
export function inStillWorld<T>(given: Arguments, use: (world: World) => T): T {
  const [nameOrPath = ''] = given.words
  const world = openStillWorld(
    scenarioLibrary(paymentsService).find(nameOrPath, readParameters(given)),
    readSeed(given),
  )
  try {
    return use(world)
  } finally {
    world.close()
  }
}

function openStillWorld(scenario: Scenario, seed: number | undefined): World {
  return new World({
    id: 'asked',
    service: paymentsService,
    sql: openSqliteCopy(sqliteImage(migrate)),
    host: {
      wallUs: () => wallNowMs() * 1000,
      defer: (work) => work(),
      alarm: () => () => {},
      connections: () => ({ send: () => new Promise(() => {}), close: () => {} }),
      hashPassword: (password) => Promise.resolve(password),
    },
    observer: {
      happened: () => {},
      error: (error, doing) => {
        throw new Error(`failed: ${doing}`, { cause: error })
      },
    },
    loadScenario: () => scenario,
    origin: {
      scenario: toStored(scenario),
      seed: seed ?? scenario.seed,
      clock: { mode: 'frozen', rate: 1, startUs: scenario.clock.startUs },
    },
  })
}
