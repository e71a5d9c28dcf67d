/** What a request is refused for first: the order that the list of facts gives is the order in which it is checked. */
import { expect, it } from 'vitest'
import { stages } from '../../src/core/model/refusal.ts'
import { bodies } from '../support/bodies.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { verdict } from './assumptions/sending.ts'

const bench = useBench()
const API = '/api/sandbox/v1'

/** Requests for which two stages have something to say, and what the first of them says. */
const pairs: [string, string, (world: Awaited<ReturnType<typeof bench.world>>) => Promise<unknown>, string][] = [
  ['path', 'token', (world) => world.raw('POST', `${API}/nothing`), '404 RESOURCE_NOT_FOUND'],
  ['token', 'headers', (world) => world.raw('GET', '/api/v1/tz/spending/single?requestId=x'), '401 AUTH_MISSING_TOKEN'],
  ['token', 'body', (world) => world.raw('POST', `${API}/till`, { body: 'no JSON' }), '401 AUTH_MISSING_TOKEN'],
  ['headers', 'fields', (world) => world.get('/api/v1/tz/spending/single'), '400 REQ_MISSING_FIELD'],
  [
    'age',
    'body',
    async (world) => {
      const token = await world.token()
      await world.control('POST', '/clock/advance', { by: '6m' })
      return world.post(`${API}/till`, 'no JSON', { token })
    },
    '401 AUTH_INVALID_TOKEN',
  ],
  [
    'fields',
    'resource',
    (world) => world.get(`${API}/send-money/single?requestId=x&companyId=00000000-0000-4000-8000-00000000000x`),
    '400 REQ_INVALID_FIELD',
  ],
  [
    'resource',
    'rules',
    (world) =>
      world.post(`${API}/allocations/new`, {
        fromOrganisationId: world.companyId,
        toOrganisationId: '00000000-0000-4000-8000-0000000000aa',
        amount: 423.01,
      }),
    '404 RESOURCE_NOT_FOUND',
  ],
  [
    'rules',
    'funds',
    (world) => world.post(`${API}/till`, { ...bodies.till('http://localhost:1'), amount: 9_000_423.01 }),
    '423 RESOURCE_LOCKED',
  ],
]

it.each(pairs)('tells %s before %s', async (first, second, ask, expected) => {
  const order = Object.keys(stages)
  expect(order.indexOf(first)).toBeGreaterThanOrEqual(0)
  expect(order.indexOf(first)).toBeLessThan(order.indexOf(second))
  const rules = [
    { name: 'locked', on: 'till', when: 'request.amount > 9000000', then: { refuse: { code: 'RESOURCE_LOCKED' } } },
  ]
  const world = await bench.world({ scenario: { ...assuming({}).scenario, rules } })
  expect(verdict((await ask(world)) as never)).toBe(expected)
})
