/** A host that cannot touch its connections answers 502 where one was to be severed, and says so in the journal. */

import { expect, it } from 'vitest'
import { front } from '../../../src/server/front.ts'
import { bodies } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'
import { faultyWorld, lastRequest, order, rule, SEND_MONEY } from './support.ts'

const bench = useBench()

it('answers 502 instead, and cuts a body without a broken promise', async () => {
  const faults = [{ name: 'cut', on: 'createTillPayment', then: { truncate: 10 } }]
  const world = await faultyWorld(bench, { rules: [rule({ answer: 'lost' })], faults })
  const token = await world.token()
  const { worlds } = bench.simulator
  const answer = front({
    worlds,
    adminToken: undefined,
    publicUrl: undefined,
    observe: () => {},
    nowMs: () => 0,
    version: 'test',
  })
  const post = (path: string, body: object) =>
    answer(
      new Request(world.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
  const lost = await post(SEND_MONEY, order(bench))
  expect(lost.status).toBe(502)
  expect(await lost.json()).toMatchObject({ error: { code: 'BAD_GATEWAY' } })
  expect(await lastRequest(world)).toMatchObject({
    status: 502,
    fault: expect.stringContaining('this host cannot sever connections: answered 502'),
  })
  expect(await world.available()).toBe(999_000)
  const cut = await post('/api/sandbox/v1/till', bodies.till(bench.receiver.url()))
  expect(await cut.text()).toBe('{"status":')
})
