import { after, test as nodeTest, type TestContext, type TestOptions } from 'node:test'
import { type FixtureOptions, inWorld, type MfanoContext as OfWorld, sharedMfano } from './fixture.ts'
import type { WorldOptions } from './world-options.ts'

export interface MfanoContext extends OfWorld {
  t: TestContext
}

type Body = (context: MfanoContext) => unknown
/** Options of node:test, and how the world begins. */
type Options = TestOptions & { world?: WorldOptions }

/** `test(name, body)` or `test(name, options, body)`, as in node:test. */
export interface MfanoTest {
  (name: string, body: Body): Promise<void>
  (name: string, options: Options, body: Body): Promise<void>
}

/** node:test's `test` with a world for each test, on a mfano of your choice: `mfanoTest({ scenario: 'stuck-pending' })`. */
export function mfanoTest(options: FixtureOptions = {}): MfanoTest {
  const shared = sharedMfano(options)
  after(shared.close)
  return async (name: string, ...rest: [Body] | [Options, Body]) => {
    const [{ world: worldOptions = {}, ...own }, body] = rest.length === 1 ? [{}, rest[0]] : rest
    await nodeTest(name, own, async (t) => {
      const mfano = await shared.get()
      const tell = (report: string) => t.diagnostic(report)
      await inWorld(mfano, worldOptions, name, (world) => body({ world, mfano, t }), tell)
    })
  }
}

/**
 * node:test's `test` with a world for each test.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { test } from 'mfano/testing/node'
 *
 * test('a customer pays', async ({ world }) => {
 *   const { uuid } = await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
 *   await world.clock.advance('1m')
 *   assert.equal((await world.payment.show({ id: uuid })).status, 'SUCCESS')
 * })
 *
 * test('on slow rails it takes longer', { world: { scenario: 'slow-rails' } }, async ({ world, t }) => {
 *   const { plan } = await world.scenario.explain({ kind: 'send-money', request: { amount: 10, currencyCode: 'KSH' } })
 *   t.diagnostic(`planned to take ${plan?.after}`)
 *   assert.notEqual(plan?.after, '2s')
 * })
 * ```
 */
export const test: MfanoTest = mfanoTest()
