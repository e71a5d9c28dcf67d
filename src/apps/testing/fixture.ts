/** What the fixtures of all test runners share. */
import { keepCapsule } from '../../judge/keep-capsule.ts'
import { connectMfano, type Mfano } from './mfano.ts'
import { type StartOptions, startMfano } from './start.ts'
import type { TestWorld } from './test-world.ts'
import { worldOfTest } from './world-of-test.ts'
import type { WorldOptions } from './world-options.ts'

/** Where a suite's worlds live: in a mfano that is started for it, or in one that runs at `url`. */
export type FixtureOptions = StartOptions | ({ url: string; adminToken?: string } & WorldOptions)

/** Starts a mfano, or connects to the one that the options name. */
export function openMfano(options: FixtureOptions): Promise<Mfano> {
  return 'url' in options ? connectMfano(options) : startMfano(options)
}

/** What `await using` does, which Node 22 cannot read: uses something, and closes it however that ends. */
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

/** One mfano for all tests that ask for it: started with the first, closed at the end. */
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

/** Runs a test in a world of its own; when it fails, what happened there is told before the world goes. */
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
      tell(await reportOf(world))
      throw error
    }
  })
}

/** What happened in a world, with its capsule where `MFANO_CAPSULES` names a folder; where even that cannot be had, why. */
export async function reportOf(world: TestWorld): Promise<string> {
  try {
    const [report, capsule] = [
      await world.report(),
      await keepCapsule(() => world.control.open('GET', '/capsule'), world.id),
    ]
    return capsule === undefined ? report : `${report}\n\nIts capsule repeats it anywhere: mfano replay ${capsule}`
  } catch (error) {
    return `what happened in the world ${world.id} cannot be told: ${(error as Error).message}`
  }
}
