import { expect, test } from 'vitest'
import type { Attempt } from '../../../src/core/model/callback.ts'
import { LANE } from '../../../src/core/model/due.ts'
import type { World } from '../../../src/core/world.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

/** Lets something happen when a long search lets others have their turn. */
function meanwhile(world: World, happens: () => Promise<unknown>) {
  const { defer } = world.host
  world.host.defer = (work) => {
    world.host.defer = defer
    void happens().then(() => defer(work))
  }
}

// Seen under kills, when a restarted mfano delivers hundreds of callbacks while somebody lists them: one was pending,
// and nothing was due for it. It had been delivered between the page of the list that it was on and the look at what is
// due.
test('a long list shows each callback as it is when it is shown: none is pending with nothing due', async () => {
  const { receiver } = bench
  const world = await bench.world({ scenario: 'callbacks-retried' })
  receiver.answer = 500
  for (let i = 0; i < 260; i++) await bench.pay(world)
  await world.advance('5s')
  const { commit, core } = world.inside
  const [newest] = core.store.callbacks.page({ limit: 1, newestFirst: true })
  if (!newest) throw new Error('no callback was written')
  const [due] = core.store.agenda.of(LANE.deliveries, newest.id)
  expect([newest.state, due]).toEqual(['pending', expect.anything()])
  const attempt: Attempt = { ...(core.store.callbacks.attemptsOf(newest.id)[0] as Attempt), status: 200, error: null }
  const delivered = () =>
    world.inside.perform({ command: 'record-attempt', due: due as never, attempt, accepted: true })

  meanwhile(world.inside, delivered)
  const { callbacks } = await world.control('GET', '/callbacks?limit=1000')
  expect(callbacks).toHaveLength(260)
  expect(callbacks[0]).toMatchObject({ id: newest.id, state: 'delivered', nextAttemptAt: null })
  for (const { state, nextAttemptAt } of callbacks.slice(1))
    expect([state, nextAttemptAt !== null]).toEqual(['pending', true])

  // What was asked for does not hold of it any more.
  await commit.submit(() => core.store.callbacks.save({ ...newest, state: 'pending' }))
  meanwhile(world.inside, () => commit.submit(() => core.store.callbacks.save({ ...newest, state: 'delivered' })))
  const pending = await world.control('GET', '/callbacks?state=pending&limit=1000')
  expect(pending.callbacks.map(({ state }: { state: string }) => state)).toEqual(Array(259).fill('pending'))
})
