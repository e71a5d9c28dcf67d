/** A world for each jest test. Needs jest's ES modules: `NODE_OPTIONS=--experimental-vm-modules jest`. */
import { afterAll, test as jestTest } from '@jest/globals'
import { type FixtureOptions, inWorld, type MfanoContext, sharedMfano } from './fixture.ts'
import type { WorldOptions } from './world-options.ts'

export type { MfanoContext }

type Body = (context: MfanoContext) => unknown

/**
 * `test(name, body)`, or `test(name, options, body)` to say how the world begins. The last argument is jest's timeout
 * in milliseconds.
 */
interface MfanoTestCall {
  (name: string, body: Body, timeoutMs?: number): void
  (name: string, worldOptions: WorldOptions, body: Body, timeoutMs?: number): void
}
export interface MfanoTest extends MfanoTestCall {
  only: MfanoTestCall
  skip: MfanoTestCall
}

/** jest's `test` with a world for each test, on a mfano of your choice: `mfanoTest({ scenario: 'stuck-pending' })`. */
export function mfanoTest(options: FixtureOptions = {}): MfanoTest {
  const shared = sharedMfano(options)
  afterAll(shared.close)
  const through =
    (register: (name: string, body: () => Promise<void>, timeoutMs?: number) => void): MfanoTestCall =>
    (name: string, first: Body | WorldOptions, second?: Body | number, third?: number) => {
      const [worldOptions, body] = typeof first === 'function' ? [{}, first] : [first, second]
      if (typeof body !== 'function') throw new TypeError(`The test "${name}" has no body.`)
      const run = async () => {
        const mfano = await shared.get()
        await inWorld(mfano, worldOptions, name, (world) => body({ world, mfano }), console.error)
      }
      register(name, run, typeof second === 'number' ? second : third)
    }
  return Object.assign(through(jestTest), { only: through(jestTest.only), skip: through(jestTest.skip) })
}

/**
 * jest's `test` with a world for each test.
 *
 * @example
 * ```ts
 * import { expect } from '@jest/globals'
 * import { test } from 'mfano/testing/jest'
 *
 * test('a customer pays', async ({ world }) => {
 *   const { uuid } = await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
 *   await world.clock.advance('1m')
 *   expect(await world.payment.show({ id: uuid })).toMatchObject({ status: 'SUCCESS' })
 * })
 *
 * test('on slow rails it takes longer', { scenario: 'slow-rails' }, async ({ world }) => {
 *   const { plan } = await world.scenario.explain({ kind: 'send-money', request: { amount: 10, currencyCode: 'KSH' } })
 *   expect(plan?.after).not.toBe('2s')
 * })
 * ```
 */
export const test: MfanoTest = mfanoTest()
