import { expect } from 'vitest'
import { MfanoError } from '../../../src/apps/testing/index.ts'
import { payoutTo } from '../../support/bodies.ts'
import type { Bench, TestWorld } from '../../support/harness.ts'

/** What a test's scenario holds besides its name. */
export interface WrittenFaults {
  rules?: object[]
  faults?: object[]
  callbacks?: object
  assumptions?: Record<string, string>
}

/** A frozen world in which something goes wrong, and nothing else differs from the default. */
export function faultyWorld(bench: Bench, written: WrittenFaults): Promise<TestWorld> {
  return bench.world({ scenario: { name: 'faulty', description: 'Something goes wrong.', ...written } })
}

/** A rule that decides every send-money. */
export function rule(then: object, more: object = {}): object {
  return { name: 'the fault', on: 'send-money', ...more, then: { after: '2s', end: 'SUCCESS', ...then } }
}

export const SEND_MONEY = '/api/sandbox/v1/send-money'

export function order(bench: Bench, change: object = {}) {
  return payoutTo(bench.receiver.url(), { amount: 1000, currencyCode: 'KSH', ...change })
}

/** How a request failed below HTTP: undici's code for what the socket met. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  expect(error, 'the request has to fail').toBeDefined()
  // The client says which request got no answer; what the connection said of it is behind that.
  const { cause, message } = (error instanceof MfanoError ? error.cause : error) as Error
  return (cause as { code?: string } | undefined)?.code ?? message
}

/** The newest entry of the journal. */
export async function lastRequest(world: TestWorld) {
  return (await world.control('GET', '/requests?limit=1')).requests[0]
}
