/** Hints of a server, as the commands that do the same. */
import { expect, it } from 'vitest'
import { asCommand } from '../../../src/apps/cli/as-command.ts'
import { findCommand } from '../../../src/apps/cli/find-command.ts'
import { argumentsOf } from '../../../src/apps/cli/read-arguments.ts'
import { must } from '../../../src/core/model/must.ts'
import { useBench } from '../../support/harness.ts'
import { answer } from './support.ts'

const bench = useBench()

it.each([
  ['payment.list', {}, 'mfano payment list'],
  ['clock.advance', { by: '5m' }, 'mfano clock advance 5m'],
  ['clock.advance', { to: '2025-01-24T16:28:00' }, 'mfano clock advance 2025-01-24T16:28:00'],
  ['callback.redeliver', { id: 7 }, 'mfano callback redeliver 7'],
  ['callback.resume', {}, 'mfano callback resume'],
  ['payment.resolve', { status: 'FAILED', id: 'salary 1' }, "mfano payment resolve 'salary 1' FAILED"],
  ['payment.explain', { id: 'salary-1' }, 'mfano explain salary-1'],
  // No command of ours: its declaration makes one.
  ['float.fund', { name: 'utility', amount: 12.5 }, 'mfano float fund --name utility --amount 12.5'],
  [
    'organisation.change',
    { uuid: 'u', collectionCallbackUrl: 'http://a' },
    'mfano organisation change u --collection-callback http://a',
  ],
  ['requests.list', { requestId: 'req_1' }, 'mfano requests list --request req_1'],
  ['snapshot.save', { name: 'paid', replace: true }, 'mfano snapshot save paid --replace'],
])('%s %j', async (operation, parameters, expected) => {
  expect(await asCommand({ operation, with: parameters })).toBe(expected)
})

it.each([1, 59_999, 61_000, 263_000, 3_600_001, 90_061_001, 31_536_000_000])(
  'explains what to do next with a command that mfano takes, %d ms ahead, in another world',
  async (ms) => {
    const world = await bench.world({ scenario: { name: 'slow', description: 'Slow.', rules: [late(ms)] } })
    const id = await bench.pay(world)
    const typed = ['explain', id, '--url', bench.simulator.baseUrl, '--world', world.id]
    const { code, out } = await answer(typed)
    expect(code, out).toBe(0)
    const [printed] = must(/mfano clock advance .*/.exec(out))
    const { command, typed: words } = await findCommand(printed.split(' ').slice(1))
    const given = argumentsOf(command, words, [])
    expect([given.get('url'), given.get('world')]).toEqual([bench.simulator.baseUrl, world.id])
    const moved = await answer(printed.split(' ').slice(1))
    expect(moved.code, printed + moved.errors).toBe(0)
    expect((await answer(typed)).out).toContain('SUCCESS is final')
  },
)

it('names no world in a command that makes one', async () => {
  const hint = { operation: 'world.create', with: { id: 'shop' } }
  const where = { url: 'http://localhost:9', world: 'shop' }
  expect(await asCommand(hint, where)).toBe('mfano world create shop --url http://localhost:9')
})

function late(ms: number) {
  return { name: 'late', on: ['send-money'], then: { after: `${ms}ms`, end: 'SUCCESS' } }
}
