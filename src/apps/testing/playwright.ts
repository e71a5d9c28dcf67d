import {
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  test as playwrightTest,
  type TestType,
} from '@playwright/test'
import { type FixtureOptions, inWorld, type MfanoContext, sharedMfano } from './fixture.ts'
import type { WorldOptions } from './world-options.ts'

export interface MfanoFixtures extends Pick<MfanoContext, 'world'> {
  /** Settings of the world: `test.use({ worldOptions: { scenario: 'slow-rails' } })`. */
  worldOptions: WorldOptions
}

export interface MfanoWorkerFixtures extends Pick<MfanoContext, 'mfano'> {
  /** Settings of mfano, or its address: `test.use({ mfanoOptions: { url: … } })`, or `use` in the configuration. */
  mfanoOptions: FixtureOptions
}

/**
 * Playwright's `test` with a world for each test that uses one.
 *
 * @example
 * ```ts
 * import { expect } from '@playwright/test'
 * import { test } from 'mfano/testing/playwright'
 *
 * test('a customer pays by card', async ({ page, world }) => {
 *   const client = await world.client()
 *   const { data } = await client.createCheckoutSession({
 *     amount: 900,
 *     currency: 'KES',
 *     description: 'Two chairs',
 *     successUrl: `${world.baseUrl}/docs`,
 *     cancelUrl: `${world.baseUrl}/docs`,
 *     paymentMethods: ['CARD'],
 *   })
 *   await page.goto(data.checkoutUrl)
 *   await page.getByLabel('Card number').fill('4242 4242 4242 4242')
 *   await page.getByLabel('Expiry').fill('12/30')
 *   await page.getByLabel('Security code').fill('123')
 *   await page.getByRole('button', { name: /pay/i }).click()
 *   await world.clock.advance('1m')
 *   // Back in the shop: Chromium does not close a page that ends its test in the middle of a navigation.
 *   await page.waitForURL(`${world.baseUrl}/docs`)
 *   expect((await world.payment.show({ id: data.id })).status).toBe('SUCCEEDED')
 * })
 * ```
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & MfanoFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & MfanoWorkerFixtures
> = playwrightTest.extend<MfanoFixtures, MfanoWorkerFixtures>({
  mfanoOptions: [{}, { option: true, scope: 'worker' }],
  mfano: [
    async ({ mfanoOptions }, use) => {
      const shared = sharedMfano(mfanoOptions)
      try {
        await use(await shared.get())
      } finally {
        await shared.close()
      }
    },
    { scope: 'worker' },
  ],
  worldOptions: [{}, { option: true }],
  world: async ({ mfano, worldOptions }, use, info) => {
    const tell = async (report: string) => {
      console.error(report)
      await info.attach('mfano', { body: report, contentType: 'text/plain' })
    }
    await inWorld(mfano, worldOptions, info.title, use, tell, () => info.status !== info.expectedStatus)
  },
})
