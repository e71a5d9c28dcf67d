/** A megabyte of mistakes: the answer names the first, counts the others, and is no longer than anybody reads. */
import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const SHORT = 8_000
const list = (count: number, one: unknown) => Array(count).fill(one)
const keys = (count: number, one: unknown) => Object.fromEntries(list(count, one).map((value, i) => [`k${i}`, value]))
const session = bodies.checkout('https://shop.example/told')

it('looks at no list that is longer than it could mean, and journals little of it', async () => {
  const world = await bench.world()
  const paymentMethods = list(240_000, 1)
  const answer = await world.post('/api/sandbox/v1/checkout-sessions', { ...session, paymentMethods })
  expect(answer.status).toBe(400)
  expect(answer.body.errors).toEqual({ paymentMethods: ['paymentMethods must have at most 1000 entries'] })
  const [entry] = (await world.control('GET', '/requests')).requests
  expect(JSON.stringify(entry.response).length).toBeLessThan(SHORT)
})

it('names twenty mistakes and counts the others', async () => {
  const world = await bench.world()
  const paymentMethods = list(1000, 'CASH')
  const { body } = await world.post('/api/sandbox/v1/checkout-sessions', { ...session, paymentMethods })
  const fields = Object.entries(body.errors)
  expect(fields).toHaveLength(21)
  expect(fields[19]).toEqual(['paymentMethods.19', ['paymentMethods.19 must be one of CARD, MPESA_STK']])
  expect(fields[20]).toEqual(['body', ['body has 980 more problems']])

  await world.raw('PUT', '/_mfano/assumptions/checkout-error-body', { body: { value: 'nested' } })
  const nested = await world.post('/api/sandbox/v1/checkout-sessions', { ...session, paymentMethods })
  const told = nested.body.error.details.split('; ')
  expect(told).toHaveLength(21)
  expect(told.slice(19)).toEqual(['paymentMethods.19: must be one of CARD, MPESA_STK, got "CASH"', 'and 980 more'])
})

it.each<[string, string, object, string]>([
  ['POST', '/verify', { times: keys(80_000, 1) }, '; and 79'],
  ['PUT', '/inbox/x', { answers: list(150_000, true) }, 'answers: must have at most 1000 entries, got 150000'],
  ['POST', '/clock/advance', keys(80_000, 1), '; and 79'],
  ['PATCH', '/clock', keys(80_000, 1), '; and 79980 more'],
  ['POST', '/scenario/explain', { kind: 'till', request: {}, ...keys(80_000, 1) }, '; and 79980 more'],
  ['PUT', '/scenario', { name: 'x', description: 'x', rules: list(120_000, 1) }, 'or express them by one rule'],
])('does so in the control plane: %s %s', async (method, path, body, told) => {
  const world = await bench.world()
  const answer = await world.raw(method, `/_mfano${path}`, { body })
  expect([answer.status, answer.body.error.details]).toEqual([400, expect.stringContaining(told)])
  expect(answer.text.length).toBeLessThan(SHORT)
})

it('does so for a world that is to be made', async () => {
  for (const body of [{ parameters: keys(80_000, []) }, keys(80_000, 1)]) {
    const answer = await fetch(`${bench.simulator.baseUrl}/_mfano/worlds`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect([answer.status, (await answer.text()).length < SHORT]).toEqual([400, true])
  }
})

it('keeps the names of the first fields that nothing read', async () => {
  const world = await bench.world()
  await bench.pay(world, keys(80_000, 1))
  const [entry] = (await world.control('GET', '/requests?operation=createSendMoney')).requests
  expect(entry.unreadFields).toEqual(list(100, 'k').map((k, i) => `${k}${i}`))
})
