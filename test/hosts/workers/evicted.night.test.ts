/** The platform takes an object's memory from it whenever it likes: what was due happens all the same, and what was under way happens again. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Received, Receiver } from '../../support/harness.ts'
import { EventReader } from '../../support/stream.ts'
import { type RunningWorkerd, startWorkerd } from '../../support/workers.ts'
import { callerOf } from './caller.ts'

let deployed: RunningWorkerd
const receiver = new Receiver()

beforeAll(async () => {
  await receiver.start()
  deployed = await startWorkerd({ entry: join(import.meta.dirname, 'evicting-worker.ts'), flags: ['unsafe_module'] })
})
afterAll(async () => {
  await deployed?.kill()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.answer = 200
})

/** Has the runtime do so: `abort`, or `begin/{world}`. */
async function have(deed: string): Promise<void> {
  const answer = await fetch(`${deployed.baseUrl}/${deed}`, { method: 'POST' })
  expect([answer.status, await answer.text()]).toEqual([200, 'done'])
}

/** Resolves with the first callback for which that holds. */
function toldOf(wanted: (received: Received) => boolean): Promise<Received> {
  return new Promise((resolve) => {
    receiver.answer = (received) => {
      if (wanted(received)) resolve(received)
      return 200
    }
  })
}

/** How often an object of a world came to life. */
async function lives(): Promise<number> {
  const answer = await fetch(`${deployed.baseUrl}/lives`, { method: 'POST' })
  return Number(await answer.text())
}

async function expectInOrder(world: ReturnType<typeof callerOf>, uuid: string): Promise<void> {
  expect(await world.control('GET', `/payments/${uuid}`)).toMatchObject({ status: 'SUCCESS' })
  expect((await world.control('GET', '/ledger')).imbalances).toEqual([])
  expectQuiet()
}

/** What was wanted aside. */
function expectQuiet(): void {
  expect(deployed.said.filter((line) => !line.includes('Application called abortAllDurableObjects()'))).toEqual([])
}

test('steps a payment of an object that was ended, by its alarm, and tells the merchant', async () => {
  const world = callerOf(deployed.baseUrl, 'put-away')
  await world.make()
  const told = toldOf(() => true)
  const uuid = await world.pay({ callbackUrl: receiver.url() })
  const before = await lives()
  await have('abort')
  // Nobody asks it for anything.
  expect((await told).body).toMatchObject({ requestId: uuid, status: 'SUCCESS' })
  expect(await lives()).toBe(before + 1)
  await expectInOrder(world, uuid)
  await world.remove()
})

test('sends a callback again whose object was ended while it was under way', async () => {
  const world = callerOf(deployed.baseUrl, 'ended')
  await world.make()
  let answer = (_status: number) => {}
  const begun = new Promise<Received>((resolve) => {
    receiver.answer = (received) => {
      resolve(received)
      return new Promise((give) => {
        answer = give
      })
    }
  })
  const uuid = await world.pay({ callbackUrl: receiver.url() })
  const first = await begun
  const again = toldOf((received) => received !== first)
  await have('abort')
  answer(200)
  // One message: the merchant knows it by its id.
  expect((await again).headers['webhook-id']).toBe(first.headers['webhook-id'])
  expect((await again).body).toEqual(first.body)
  await expectInOrder(world, uuid)
  await world.remove()
})

test('ends a stream of events whose object is ended, and tells its reader of the gap when it comes back', async () => {
  const world = callerOf(deployed.baseUrl, 'streamed')
  await world.make({ clock: { mode: 'frozen' } })
  const events = `${world.baseUrl}/_mfano/events?types=payment`
  const reader = await EventReader.open(events)
  await world.pay()
  const [seen] = await reader.take(1)
  expect(seen?.id).toBeDefined()
  await have('abort')
  expect(await reader.next().catch(() => 'cut off')).toBe('cut off')
  const back = await EventReader.open(events, { 'last-event-id': seen?.id ?? '' })
  expect(await back.next()).toMatchObject({ event: 'gap', data: { says: expect.stringContaining('put away') } })
  const uuid = await world.pay()
  expect(await back.next()).toMatchObject({ event: 'payment', data: { payment: { uuid } } })
  back.close()
  expectQuiet()
  await world.remove()
})

test('removes the name of a world whose object was ended before it had made it, or makes it then', async () => {
  const listed = async () => {
    const { worlds } = await (await fetch(`${deployed.baseUrl}/_mfano/worlds`)).json()
    return worlds.map(({ id, problem }: { id: string; problem?: string }) => [id, problem])
  }
  await have('begin/unmade')
  await have('begin/made-later')
  expect(await listed()).toEqual([
    ['default', undefined],
    ['made-later', 'No such world'],
    ['unmade', 'No such world'],
  ])
  expect((await callerOf(deployed.baseUrl, 'unmade').remove()).status).toBe(200)
  expect((await callerOf(deployed.baseUrl, 'unmade').remove()).status).toBe(404)
  const world = callerOf(deployed.baseUrl, 'made-later')
  await world.make()
  expect(await listed()).toEqual([
    ['default', undefined],
    ['made-later', undefined],
  ])
  await world.remove()
  expectQuiet()
})
