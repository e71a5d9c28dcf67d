/** Shared by the fixtures of all test runners. */
import { errorOf } from '../../core/model/must.ts'
import { printable } from '../../core/model/text.ts'
import { keepCapsule } from '../../judge/keep-capsule.ts'
import { connectMfano, type Mfano } from './mfano.ts'
import { type StartOptions, startMfano } from './start.ts'
import type { TestWorld } from './test-world.ts'
import { worldOfTest } from './world-of-test.ts'
import type { WorldOptions } from './world-options.ts'

/** Worlds are made in a new mfano, or in one that runs at `url`. */
export type FixtureOptions = StartOptions | ({ url: string; adminToken?: string } & WorldOptions)

export function openMfano(options: FixtureOptions): Promise<Mfano> {
  return 'url' in options ? connectMfano(options) : startMfano(options)
}

/** Does what `await using` does, which Node 22 cannot parse. */
export async function closing<T extends AsyncDisposable>(
  opened: Promise<T>,
  use: (it: T) => Promise<unknown>,
): Promise<void> {
  const it = await opened
  try {
    await use(it)
  } finally {
    await it[Symbol.asyncDispose]()
  }
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

/** Runs a test in a world of its own. When the test fails, reports what happened before the world is removed. */
export async function inWorld(
  mfano: Mfano,
  options: WorldOptions,
  test: string,
  body: (world: TestWorld) => unknown,
  tell: (report: string) => void,
): Promise<void> {
  await closing(worldOfTest(mfano, options, test), async (world) => {
    try {
      await body(world)
    } catch (error) {
      tell(await worldReport(world))
      throw error
    }
  })
}

/**
 * Includes the capsule when `MFANO_CAPSULES` names a folder. A report that fails must not hide the test's own failure,
 * so it returns the reason.
 */
export async function worldReport(world: TestWorld): Promise<string> {
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
