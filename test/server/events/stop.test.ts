import { expect, test } from 'vitest'
import { dataDirectory, startOn } from '../../support/restart.ts'
import { EventReader } from '../../support/stream.ts'

test('who only listens holds up nobody who stops: streams end, waits are told', async () => {
  const simulator = await startOn(dataDirectory())
  const stream = await EventReader.open(`${simulator.baseUrl}/_mfano/events`)
  const waiting = fetch(`${simulator.baseUrl}/_mfano/wait`, {
    method: 'POST',
    body: JSON.stringify({ for: 'payment', timeout: '60s' }),
  })
  const { feed } = simulator.worlds.default
  while (feed.count('wait') === 0) await new Promise(setImmediate)
  await simulator.close()
  // Cut off, they would have thrown.
  expect(await stream.next()).toBeUndefined()
  expect((await waiting).status).toBe(503)
})
