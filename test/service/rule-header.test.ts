/** `Mfano-Rule`: names are whatever somebody writes, and headers are not. */
import { expect, it } from 'vitest'
import { payoutTo } from '../support/bodies.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()

it.each([
  ['half a character', 'net \ud83d'],
  ['the other half', '\udcb8 net'],
  ['a whole one', '💸'],
  ['other letters', 'réseau, 网络'],
  ['lines', 'a\r\nset-cookie: x=1'],
  ['nothing to see', '\u0000\u007f'],
  ['many', '💸'.repeat(59)],
])('names in the answer a rule and a fault of %s', async (_, name) => {
  const world = await bench.world({
    scenario: {
      name: 'named',
      description: 'Strange names.',
      rules: [{ name, on: 'send-money', then: { after: '2s', end: 'SUCCESS' } }],
      faults: [{ name: `!${name}`, on: 'listTillPayments', then: { status: 503 } }],
    },
  })
  const paid = await world.post('/api/sandbox/v1/send-money', payoutTo(bench.receiver.url()))
  const faulty = await world.get('/api/sandbox/v1/till/all')
  expect([paid.status, faulty.status]).toEqual([201, 503])
  expect(paid.headers.get('mfano-rule')).toBe(encodeURI(name.toWellFormed()))
  expect(faulty.headers.get('mfano-rule')).toBe(encodeURI(`!${name.toWellFormed()}`))
  await world.advance('2s')
  const { rule } = await world.control('GET', `/payments/${paid.body.data.requestId}`)
  expect(rule.toWellFormed()).toBe(name.toWellFormed())
})
