/** Hints of a server, as the commands that do the same. */
import { expect, it } from 'vitest'
import { asCommand } from '../../../src/apps/cli/as-command.ts'
import { paymentsService } from '../../../src/service/service.ts'

it.each([
  ['payment.list', {}, 'mfano payment list'],
  ['clock.advance', { by: '5m' }, 'mfano clock advance 5m'],
  ['clock.advance', { to: '2025-01-24T16:28:00' }, 'mfano clock advance 2025-01-24T16:28:00'],
  ['callback.redeliver', { id: 7 }, 'mfano callback redeliver 7'],
  ['callback.resume', {}, 'mfano callback resume'],
  ['payment.resolve', { status: 'FAILED', id: 'salary 1' }, "mfano payment resolve 'salary 1' FAILED"],
  ['payment.explain', { id: 'salary-1' }, 'mfano payment explain salary-1'],
  // No command of ours: its declaration makes one.
  ['float.fund', { name: 'utility', amount: 12.5 }, 'mfano float fund --name utility --amount 12.5'],
  [
    'organisation.change',
    { uuid: 'u', collectionCallbackUrl: 'http://a' },
    'mfano organisation change u --collection-callback-url http://a',
  ],
  // Ours takes less.
  ['requests.list', { requestId: 'req_1' }, 'mfano control requests.list --request-id req_1'],
])('%s %j', async (operation, parameters, expected) => {
  expect(await asCommand({ operation, with: parameters }, async () => paymentsService)).toBe(expected)
})
