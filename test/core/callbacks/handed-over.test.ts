/** An inbox of the same process takes a callback without a socket between, and nobody can tell. */
import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

interface Message {
  headers: Record<string, string>
  body: { requestId: string }
}

const HOUR_US = 3_600_000_000

/**
 * Of a callback to an inbox: what came there, and what is kept of its attempts. `attempts`: so many are made while time
 * stands where it was put; without them it goes there from one due event to the next.
 */
async function delivered(inbox: 'handed' | 'posted', scenario: object, attempts?: number) {
  const world = await bench.world({
    scenario: { name: 'inboxes', description: 'Callbacks go to inboxes.', ...scenario },
    seed: 7,
  })
  // One that was told how to answer is posted to, as any receiver is.
  if (inbox === 'posted') await world.control('PUT', `/inbox/${inbox}`, { answers: [200] })
  const uuid = await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/${inbox}` })
  if (attempts === undefined) await world.advance('1h')
  else {
    const { inside } = world
    const told = world.control('POST', '/wait', { for: 'callback', where: `callback.attempts == ${attempts}` })
    await inside.perform({ command: 'set-clock', nowUs: inside.core.clock.now() + HOUR_US })
    await told
  }
  const { messages } = await world.control('GET', `/inbox/${inbox}`)
  const [{ id, state, attempts: made }] = (await world.control('GET', '/callbacks')).callbacks
  const { tries } = await world.control('GET', `/callbacks/${id}`)
  const own = { [world.id]: 'world', [uuid]: 'payment', [inbox]: 'inbox' }
  const text = JSON.stringify({ messages, state, made, tries }, (name, value) =>
    // Real time, what is drawn for each world, and what is signed with its secret.
    ['tookMs', 'webhook-signature', 'webhook-id', 'webhook-timestamp', 'mpesaReceipt'].includes(name) ? '…' : value,
  )
  return {
    uuid,
    messages: messages as Message[],
    kept: JSON.parse(Object.entries(own).reduce((all, [its, word]) => all.replaceAll(its, word), text)),
  }
}

it.each([
  ['plain', {}],
  ['signed', { assumptions: { 'callback-signature': 'standard-webhooks' } }],
  ['with its answer lost', { callbacks: { loseAnswers: 1 } }],
  ['twice', { callbacks: { faults: [{ on: 'any', then: { duplicate: 2 } }] } }],
])('it comes as it would by HTTP: %s', async (_, scenario) => {
  const handed = await delivered('handed', scenario)
  const posted = await delivered('posted', scenario)
  expect(handed.kept).toEqual(posted.kept)
  expect(handed.messages.map(({ headers }) => Object.keys(headers))).toEqual(
    posted.messages.map(({ headers }) => Object.keys(headers)),
  )
  expect(handed.messages.map(({ body }) => body.requestId)).toContain(handed.uuid)
})

it.each([
  ['plain', {}, 1],
  ['signed', { assumptions: { 'callback-signature': 'standard-webhooks' } }, 1],
  ['with its answer lost', { callbacks: { loseAnswers: 1 } }, 1],
  ['twice', { callbacks: { faults: [{ on: 'any', then: { duplicate: 2 } }] } }, 2],
])('it comes in the commit of the step as it would by HTTP: %s', async (_, scenario, attempts) => {
  const handed = await delivered('handed', scenario, attempts)
  const posted = await delivered('posted', scenario, attempts)
  expect(handed.kept).toEqual(posted.kept)
  expect(handed.messages).toHaveLength(attempts)
})

it('is delivered once anybody hears that it was written', async () => {
  const world = await bench.world()
  const { inside } = world
  const { callbacks } = inside.core.store
  const states: unknown[] = []
  inside.feed.listen({
    kind: 'wait',
    happened: (event) => event.type === 'callback' && states.push(callbacks.byId(event.id)?.state),
    ended: () => {},
  })
  await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` })
  const told = world.control('POST', '/wait', { for: 'callback', where: 'callback.attempts == 1' })
  await inside.perform({ command: 'set-clock', nowUs: inside.core.clock.now() + HOUR_US })
  await told
  expect(states).toEqual(['delivered', 'delivered'])
})

it('waits for those that were due before it', async () => {
  const world = await bench.world({
    scenario: {
      name: 'late',
      description: 'The first callback is late.',
      callbacks: { faults: [{ on: 'any', when: 'request.amount == 1.0', then: { delay: '10s' } }] },
    },
  })
  const callbackUrl = `${world.baseUrl}/_mfano/inbox/shop`
  const first = await bench.pay(world, { callbackUrl, amount: 1 })
  await world.advance('5s')
  const second = await bench.pay(world, { callbackUrl })
  const { inside } = world
  const both = world.control('POST', '/wait', { for: 'inbox', where: `body.requestId == "${second}"` })
  await inside.perform({ command: 'set-clock', nowUs: inside.core.clock.now() + HOUR_US })
  await both
  const { messages } = await world.control('GET', '/inbox/shop')
  expect(messages.map(({ body }: Message) => body.requestId)).toEqual([first, second])
})

it('is delivered to an inbox of another world by HTTP, and to one that is told how to answer from then on', async () => {
  const world = await bench.world()
  const other = await bench.world()
  const uuids = [
    await bench.pay(world, { callbackUrl: `${other.baseUrl}/_mfano/inbox/shop` }),
    await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` }),
  ]
  await world.advance('1h')
  await world.control('PUT', '/inbox/shop', { answers: [503, 200] })
  world.logout()
  const third = await bench.pay(world, { callbackUrl: `${world.baseUrl}/_mfano/inbox/shop` })
  await world.advance('1h')
  const taken = async (by: typeof world) =>
    (await by.control('GET', '/inbox/shop')).messages.map(({ body }: Message) => body.requestId)
  expect(await taken(other)).toEqual([uuids[0]])
  expect(await taken(world)).toEqual([uuids[1], third, third])
  const { callbacks } = await world.control('GET', '/callbacks')
  expect(callbacks.map(({ attempts }: { attempts: number }) => attempts).sort()).toEqual([1, 1, 2])
})
