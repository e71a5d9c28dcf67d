/** Numbers that stand for text, and addresses: what the contract says of them is what a machine makes of them. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { digitRanges } from '../../src/service/requests/request.ts'
import { bodies } from '../support/bodies.ts'
import { useBench } from '../support/harness.ts'
import { verdict } from './assumptions/sending.ts'

const bench = useBench()

it.each([
  '^254[17]\\d{8}$',
  '^\\d{5,10}$',
  '^\\d{4}$',
  '^00\\d{2}$',
  '^[A-Za-z0-9]{1,12}$',
  '^\\+?\\d{9,15}$',
  '^[\\s-]*\\+?[\\s-]*(?:2[\\s-]*5[\\s-]*4|0)[\\s-]*(?:[17][\\s-]*){1}(?:\\d[\\s-]*){8}$',
  '^[a-z]+$',
])('finds the whole numbers that %s takes', (pattern) => {
  const ranges = digitRanges(pattern)
  const edges = ranges.flatMap(({ minimum, maximum }) => [minimum - 1, minimum, maximum, maximum + 1])
  const numbers = fc.oneof(fc.constantFrom(0, 7, ...edges), fc.integer({ min: 0, max: 999_999_999_999_999 }))
  fc.assert(
    fc.property(numbers, (number) => {
      fc.pre(number >= 0 && String(number).length <= 15)
      const isIn = ranges.some(({ minimum, maximum }) => number >= minimum && number <= maximum)
      expect([number, isIn]).toEqual([number, new RegExp(pattern).test(String(number))])
    }),
    { numRuns: 500, seed: 5 },
  )
})

it('finds out an unreadable name in Punycode when it is looked up', async () => {
  const world = await bench.world()
  const unreadable = 'http://xn--a.example/callback'
  const answer = await world.post('/api/sandbox/v1/till', bodies.till(unreadable))
  expect(verdict(answer)).toBe('201')
  await world.advance('1h')
  const { callbacks } = await world.control('GET', '/callbacks')
  expect(callbacks).toMatchObject([{ url: unreadable, state: 'failed' }])
})

it('shows a page whose customer would be sent to such a name', async () => {
  const world = await bench.world()
  const session = { ...bodies.checkout(bench.receiver.url()), cancelUrl: 'http://xn--a.example/cancelled' }
  const { body } = await world.post('/api/sandbox/v1/checkout-sessions', session)
  const page = new URL(body.checkoutUrl).pathname.slice(new URL(world.baseUrl).pathname.replace(/\/$/, '').length)
  expect((await world.raw('GET', page)).status).toBe(200)
  const cancelled = await fetch(body.checkoutUrl, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'cancel' }),
  })
  expect([cancelled.status, cancelled.headers.get('location')]).toEqual([303, 'http://xn--a.example/cancelled'])
})
