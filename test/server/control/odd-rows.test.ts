import { expect, test } from 'vitest'
import { LANE } from '../../../src/core/model/due.ts'
import { useBench } from '../../support/harness.ts'

// What a database may hold that mfano would not write: it came in a file, or by somebody's own hand.

const bench = useBench()

test('an agenda row without its payment or callback is told of, and is done with when it falls due', async () => {
  const world = await bench.world()
  await bench.pay(world)
  const { commit, core } = world.inside
  const { agenda } = core.store
  await commit.submit(() => {
    agenda.add(LANE.steps, core.clock.now() + 60_000_000, 4711, 'end')
    agenda.add(LANE.deliveries, core.clock.now() + 60_000_000, 4712, 'deliver')
  })
  const before = await world.control('POST', '/clock/settle', { within: '10s' })
  expect(before).toMatchObject({
    ended: 'the budget is spent',
    pending: [
      { type: 'payment', payment: null, callback: null, why: expect.stringContaining('payment 4711') },
      { type: 'callback', payment: null, callback: 4712, why: expect.stringContaining('callback 4712') },
    ],
    pendingTotal: 2,
  })
  for (const path of ['/payments', '/callbacks', '/statistics', '/happenings', '/handset/254712345678', '/requests'])
    expect((await world.raw('GET', `/_mfano${path}`)).status, path).toBeLessThan(500)

  bench.expectErrors(/payment 4711/, /callback 4712/)
  const after = await world.control('POST', '/clock/settle', {})
  expect(after).toMatchObject({ ended: 'nothing is due', pending: [], pendingTotal: 0 })
  expect((await world.control('GET', '/health')).status).toBe('ok')
})
