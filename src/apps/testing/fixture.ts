import { MfanoError } from '../../client/errors.ts'
import { errorOf } from '../../core/model/must.ts'
import { printable } from '../../core/model/text.ts'
import { isWorldName } from '../../core/new-world.ts'
import { keepCapsule } from '../../judge/keep-capsule.ts'
import { connectMfano, type Mfano } from './mfano.ts'
import { type StartOptions, startMfano } from './start.ts'
import type { TestWorld } from './test-world.ts'
import type { WorldOptions } from './world-options.ts'

/** Worlds are made in a new mfano, or in one that runs at `url`, such as `process.env.PAYMENTS_BASE_URL` of a judge. */
export type FixtureOptions = StartOptions | ({ url: string | undefined; adminToken?: string } & WorldOptions)

export interface MfanoContext {
  /**
   * No other test sees it. Its id is the test's name. It is removed after the test; if the test failed, what happened
   * in it is reported first.
   */
  world: TestWorld
  /** The mfano of this file or worker. */
  mfano: Mfano
}

/** One mfano for all tests that ask for it: starts with the first and closes at the end. */
export function sharedMfano(options: FixtureOptions): { get(): Promise<Mfano>; close(): Promise<void> } {
  let opened: Promise<Mfano> | undefined
  return {
    get: () => {
      opened ??= openMfano(options)
      return opened
    },
    close: async () => {
      await (await opened)?.close()
      opened = undefined
    },
  }
}

function openMfano(options: FixtureOptions): Promise<Mfano> {
  if (!('url' in options)) return startMfano(options)
  const { url, ...others } = options
  return url === undefined ? startMfano(others) : connectMfano({ ...others, url })
}

/**
 * Runs a test in a world of its own. When the test fails, reports what happened before the world is removed.
 * `hasFailed` is for runners whose tests do not throw here.
 */
export async function inWorld(
  mfano: Mfano,
  options: WorldOptions,
  test: string,
  body: (world: TestWorld) => unknown,
  tell: (report: string) => unknown,
  hasFailed = () => false,
): Promise<void> {
  // Node 22 cannot parse `await using`.
  const world = await worldOfTest(mfano, options, test)
  try {
    await body(world)
    if (hasFailed()) await tell(await worldReport(world))
  } catch (error) {
    await tell(await worldReport(world))
    throw error
  } finally {
    await world.close()
  }
}

/**
 * Includes the capsule when `MFANO_CAPSULES` names a folder. A report that fails must not hide the test's own failure,
 * so it returns the reason.
 */
async function worldReport(world: TestWorld): Promise<string> {
  try {
    const [report, capsule] = [
      await world.report(),
      await keepCapsule(() => world.control.open('GET', '/capsule'), world.id),
    ]
    return capsule === undefined
      ? printable(report)
      : `${printable(report)}\n\nIts capsule repeats it anywhere: mfano replay ${capsule}`
  } catch (error) {
    return `what happened in the world ${world.id} cannot be told: ${errorOf(error).message}`
  }
}

// Names the world of a test after the test, so that lists and reports show it.

/** Characters; an id may have 63, and a number may follow. */
const ID_MAX = 48

/**
 * `a-customer-pays`, unless the options give an id. A number follows when a test of the same name runs at the same
 * time.
 */
export async function worldOfTest(mfano: Mfano, options: WorldOptions, test: string): Promise<TestWorld> {
  const named = options.id === undefined ? idOf(test) : undefined
  if (named === undefined) return mfano.world(options)
  for (let n = 1; ; n++) {
    try {
      return await mfano.world({ ...options, id: n === 1 ? named : `${named}-${n}` })
    } catch (error) {
      if (!(error instanceof MfanoError) || error.code !== 'WORLD_EXISTS') throw error
    }
  }
}

/** Undefined for a name without a Latin letter or digit. */
function idOf(test: string): string | undefined {
  const id = test
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ID_MAX)
    .replace(/-$/, '')
  return isWorldName(id) ? id : undefined
}
