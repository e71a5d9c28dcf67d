/** Outside of the service no code names a kind of payment: it asks a kind what it wants to know. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../src/service/service.ts'
import { files, textOf } from './source.ts'

/** Files that may: with the reason. */
const may: readonly RegExp[] = [
  /^service\//,
  // Printed from the contract.
  /^client\/service\.gen\.ts$/,
]

/** Words of other lists that are spelt like a kind, as they stand there. */
const others: readonly string[] = [
  // Ways in which a customer pays without being asked.
  "apps/cli/payment-commands.ts: const ways = ['stk', 'tz', 'bank'] as const",
  "apps/testing/world-collections.ts: return this.#control('POST', '/collections/:way', { path: { way: 'stk' }, body: { ...collection } })",
]

const named = new RegExp(`(['"\`])(?:${paymentsService.kinds.names.join('|')})\\1`)

it('names no kind of payment', () => {
  const code = files.filter((file) => !may.some((pattern) => pattern.test(file)))
  expect(code.length).toBeGreaterThan(200)
  const found = code.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => named.test(line) && !/^(?:\*|\/\/|\/\*)/.test(line))
      .map((line) => `${file}: ${line}`),
  )
  expect(found.filter((one) => !others.includes(one))).toEqual([])
  expect(
    others.filter((one) => !found.includes(one)),
    'that nobody writes any more',
  ).toEqual([])
})
