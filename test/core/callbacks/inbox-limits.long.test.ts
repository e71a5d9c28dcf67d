import { expect, it } from 'vitest'
import { INBOX_MAX } from '../../../src/core/store/inbox-table.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const inbox = (world: TestWorld, name = 'shop') => `${world.baseUrl}/_mfano/inbox/${name}`
const post = (url: string) => fetch(url, { method: 'POST', body: JSON.stringify({ status: 'SUCCESS' }) })

it('keeps so many inboxes, and so many behaviours that addresses asked for', async () => {
  const world = await bench.world()
  for (let i = 0; i < INBOX_MAX.inboxes + 5; i++) await post(inbox(world, `n${i}`))
  expect((await world.control('GET', '/health')).inbox).toMatchObject({ inboxes: INBOX_MAX.inboxes, givenWay: 5 })
  expect((await world.control('GET', '/inbox/n4')).messages).toEqual([])
  expect((await world.control('GET', '/inbox/n5')).messages).toHaveLength(1)

  await world.control('PUT', '/inbox/shop', { answers: '500' })
  for (let i = 0; i < 1005; i++)
    await post(`${inbox(world)}?answer=200,${200 + Math.floor(i / 400)},${200 + (i % 400)}`)
  const { asked, behaviour } = await world.control('GET', '/inbox/shop')
  expect(asked).toHaveLength(5)
  expect(behaviour.answers).toEqual(['500'])
})
