import { type TestAPI, test as vitestTest } from 'vitest'
import { type FixtureOptions, inWorld, type MfanoContext, sharedMfano } from './fixture.ts'
import type { WorldOptions } from './world-options.ts'

export interface MfanoFixtures extends MfanoContext {
  /** Settings of the world: `test.override({ worldOptions: { scenario: 'slow-rails' } })` in a `describe` or a file. */
  worldOptions: WorldOptions
}

/**
 * By options: vitest 3 knows a worker's fixture by its name alone, so two `mfanoTest` with different options would
 * share the first one's mfano.
 */
type Opened = Map<FixtureOptions, ReturnType<typeof sharedMfano>>

/** vitest's `test` with a world for each test, on a mfano of your choice: `mfanoTest({ scenario: 'slow-rails', seed: 7 })`. */
export function mfanoTest(options: FixtureOptions = {}): TestAPI<MfanoFixtures> {
  return vitestTest.extend<MfanoFixtures & { mfanos: Opened }>({
    worldOptions: {},
    mfanos: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        const opened: Opened = new Map()
        await use(opened)
        for (const mfano of opened.values()) await mfano.close()
      },
      // The scope is known from vitest 3.2 on; before that each test has a mfano of its own, and what else is said here
      // tells vitest that these are options.
      { scope: 'worker', auto: false },
    ],
    mfano: async ({ mfanos }, use) => {
      const shared = mfanos.get(options) ?? sharedMfano(options)
      mfanos.set(options, shared)
      await use(await shared.get())
    },
    world: async ({ mfano, worldOptions, task }, use) => {
      await inWorld(mfano, worldOptions, task.name, use, console.error, () => task.result?.state === 'fail')
    },
  })
}

/**
 * vitest's `test` with a world for each test that uses one.
 *
 * @example
 * ```ts
 * import { describe, expect } from 'vitest'
 * import { test } from 'mfano/testing/vitest'
 *
 * test('a customer pays', async ({ world }) => {
 *   const { uuid } = await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
 *   await world.clock.advance('1m')
 *   expect(await world.payment.show({ id: uuid })).toMatchObject({ status: 'SUCCESS' })
 * })
 *
 * describe('when nobody answers', () => {
 *   test.override({ worldOptions: { scenario: 'stuck-pending' } })
 *
 *   test('the payment stays pending', async ({ world }) => {
 *     const { uuid } = await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
 *     await world.clock.advance('2d')
 *     expect(await world.payment.show({ id: uuid })).toMatchObject({ status: 'PENDING' })
 *   })
 * })
 * ```
 */
export const test: TestAPI<MfanoFixtures> = mfanoTest()
