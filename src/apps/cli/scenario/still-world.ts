import { detachedHost } from '../../../core/host.ts'
import { World } from '../../../core/world.ts'
import { scenarioLibrary } from '../../../hosts/node/scenarios.ts'
import { openSqliteCopy } from '../../../hosts/node/sqlite.ts'
import { wallNowMs } from '../../../hosts/node/wall.ts'
import { paymentsService } from '../../../service/service.ts'
import type { Arguments } from '../command.ts'
import { readParameters } from '../typed-values.ts'

export function stillWorld(given: Arguments): World {
  const [nameOrPath = ''] = given.words
  const scenario = scenarioLibrary().find(nameOrPath, readParameters(given))
  const seed = given.number('seed') ?? scenario.seed
  const startUs = scenario.clock.startUs ?? wallNowMs() * 1000
  const world = new World({
    id: 'asked',
    service: paymentsService,
    sql: openSqliteCopy(),
    host: detachedHost(startUs),
    observer: {
      happened: () => {},
      error: (error, doing) => {
        throw new Error(`failed: ${doing}`, { cause: error })
      },
    },
    loadScenario: () => scenario,
    origin: { seed, clock: { mode: 'frozen', rate: 1, startUs } },
  })
  // So that callbacks of collections are shown, too.
  world.performNow({ command: 'set-collection-callback', organisationId: 1, url: 'http://merchant.invalid/paid' })
  return world
}
