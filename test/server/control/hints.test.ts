/** What to do about an error, as data: an operation that there is, and parameters that it takes. */
import { expect, it } from 'vitest'
import type { ControlId } from '../../../src/client/control.ts'
import { type HintedOperation, hintOf, withHints } from '../../../src/core/model/problems.ts'
import { asRequest } from '../../../src/server/control/placed.ts'
import { controlOperations } from '../../../src/server/control-operations.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

it('names operations that are declared, or does not compile', () => {
  const declared: ControlId = 'world.create' satisfies HintedOperation as HintedOperation
  expect(declared).toBe('world.create')
})

it.each([
  [hintOf('Make it: {}', 'world.create', { id: 'a' }), 'Make it: POST http://h/_mfano/worlds {"id":"a"}'],
  [hintOf('{} lists them', 'payment.list'), 'GET http://h/_mfano/payments lists them'],
  [hintOf('{}', 'requests.list', { requestId: 'r 1' }), 'GET http://h/_mfano/requests?requestId=r+1'],
  [
    hintOf('{}', 'payment.resolve', { id: 'a/b', status: 'X' }),
    'POST http://h/_mfano/payments/a%2Fb/resolve {"status":"X"}',
  ],
])('says %j as a request', (hint, text) => {
  expect(asRequest(controlOperations, 'http://h')(hint)).toEqual({ ...hint, text })
})

it('is in the answer of the control plane, with the words that stand in its details', async () => {
  const { baseUrl } = bench.simulator
  const { error } = await (await fetch(`${baseUrl}/w/nowhere/_mfano/clock`)).json()
  expect(error).toEqual({
    code: 'WORLD_NOT_FOUND',
    message: 'No such world',
    details: 'There is no world "nowhere". Make it: POST /_mfano/worlds {"id":"nowhere"}',
    hints: [
      {
        ...{ operation: 'world.create', with: { id: 'nowhere' }, words: 'Make it: {}' },
        text: 'Make it: POST /_mfano/worlds {"id":"nowhere"}',
      },
    ],
  })
  expect(withHints(error.details, error.hints, ({ operation }) => `${operation}()`)).toBe(
    'There is no world "nowhere". Make it: world.create()',
  )
})
