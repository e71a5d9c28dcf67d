/** A world for each vitest test. */
import { type TestAPI, test as vitestTest } from 'vitest'
import { closing, type FixtureOptions, openMfano, worldReport } from './fixture.ts'
import type { Mfano } from './mfano.ts'
import type { TestWorld } from './test-world.ts'
import { worldOfTest } from './world-of-test.ts'
import type { WorldOptions } from './world-options.ts'

export interface MfanoFixtures {
  /**
   * No other test sees it. Its id is the test's name. It is removed after the test; if the test failed, what happened
   * in it is printed first.
   */
  world: TestWorld
  /** Settings of the world: `test.override({ worldOptions: { scenario: 'slow-rails' } })` in a `describe` or a file. */
  worldOptions: WorldOptions
  /** The mfano of this worker. */
  mfano: Mfano
}

/**
 * By options: vitest 3 knows a worker's fixture by its name alone, so two `mfanoTest` with different options would
 * share the first one's mfano.
 */
type Opened = Map<FixtureOptions, Promise<Mfano>>

/**
 * vitest's `test` with a world for each test, on a mfano of your choice.
 *
 * @example
 * ```ts
 * import { expect } from 'vitest'
 * import { mfanoTest } from 'mfano/testing/vitest'
 *
 * const test = mfanoTest({ scenario: 'slow-rails', seed: 7 })
 *
 * test('a payout takes its time', async ({ world }) => {
 *   const { plan } = await world.scenario.explain('send-money', { amount: 10, currencyCode: 'KSH' })
 *   expect(plan?.after).not.toBe('2s')
 * })
 * ```
 */
export function mfanoTest(options: FixtureOptions = {}): TestAPI<MfanoFixtures> {
  return vitestTest.extend<MfanoFixtures & { mfanos: Opened }>({
    worldOptions: {},
    mfanos: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        const opened: Opened = new Map()
        await use(opened)
        for (const mfano of opened.values()) await (await mfano).close()
      },
      // The scope is known from vitest 3.2 on; before that each test has a mfano of its own, and what else is said here
      // tells vitest that these are options.
      { scope: 'worker', auto: false },
    ],
    mfano: async ({ mfanos }, use) => {
      const mfano = mfanos.get(options) ?? openMfano(options)
      mfanos.set(options, mfano)
      await use(await mfano)
    },
    world: async ({ mfano, worldOptions, task }, use) => {
      await closing(worldOfTest(mfano, worldOptions, task.name), async (world) => {
        await use(world)
        if (task.result?.state === 'fail') console.error(await worldReport(world))
      })
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
 *   const { uuid } = await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
 *   await world.clock.advance('1m')
 *   expect(await world.payments.get(uuid)).toMatchObject({ status: 'SUCCESS' })
 * })
 *
 * describe('when nobody answers', () => {
 *   test.override({ worldOptions: { scenario: 'stuck-pending' } })
 *
 *   test('the payment stays pending', async ({ world }) => {
 *     const { uuid } = await world.collect.stk({ phoneNumber: '254712345678', amount: 250 })
 *     await world.clock.advance('2d')
 *     expect(await world.payments.get(uuid)).toMatchObject({ status: 'PENDING' })
 *   })
 * })
 * ```
 */
export const test: TestAPI<MfanoFixtures> = mfanoTest()
