/** Headers of answers and callbacks: each is listed with what it rests on, and told where it is sent. */
import { expect, it } from 'vitest'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import { unlistedHeaders } from '../../support/contract-check.ts'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const bench = useBench()
const API = '/api/sandbox/v1'

/** What the contract says that answers of a status to an operation carry. */
async function told(world: Awaited<ReturnType<typeof bench.world>>, path: string, method: string, status: number) {
  const { body } = await world.raw('GET', '/openapi.json')
  const response = body.paths[path][method].responses[status]
  const { headers } = response.$ref ? body.components.responses[response.$ref.split('/').pop()] : response
  return Object.keys(headers)
}

it('is told with the answers that carry it', async () => {
  const world = await bench.world({
    scenario: {
      ...assuming({}).scenario,
      faults: [{ name: 'one', on: 'listPaybillPayments', then: { rateLimit: { max: 1, per: '1m' } } }],
    },
  })
  const listed = await world.get(`${API}/paybill/all`)
  const limited = await world.get(`${API}/paybill/all`)
  const wrong = await world.put(`${API}/paybill/all`)
  expect([listed.status, limited.status, wrong.status]).toEqual([200, 429, 405])
  for (const [answer, status] of [
    [listed, 200],
    [limited, 429],
    [wrong, 405],
  ] as const) {
    const promised = await told(world, `${API}/paybill/all`, 'get', status)
    const sent = [...answer.headers.keys()]
    const conditional = ['retry-after', 'allow', 'mfano-request-id']
    expect(promised.filter((name) => conditional.includes(name)).sort()).toEqual(
      sent.filter((name) => conditional.includes(name)).sort(),
    )
  }
})

it('is none of ours where headers are so large that nobody reads the request', async (context) => {
  needsProcess('sockets', context)
  const world = await bench.world()
  const answer = await fetch(`${world.baseUrl}${API}/paybill/all`, { headers: { 'x-padding': 'x'.repeat(20_000) } })
  expect([answer.status, await answer.text(), answer.headers.has('mfano-request-id')]).toEqual([431, '', false])
  const { body } = await world.raw('GET', '/openapi.json')
  // A generated client whose errors may have no body at all knows the body of none.
  expect(body.paths[`${API}/paybill/all`].get.responses).not.toHaveProperty('431')
  expect(body.info.description).toContain('431 without a body')
})

it('is listed of callbacks, under every alternative', async () => {
  for (const signature of ['none', 'standard-webhooks']) {
    const world = await bench.world(assuming({ 'callback-signature': signature }))
    await bench.pay(world)
    await world.advance('1m')
  }
  const names = new Set(bench.receiver.received.flatMap((one) => Object.keys(one.headers)))
  expect(names).toContain('webhook-signature')
  expect(unlistedHeaders(paymentsService.facts, 'callback header', names)).toEqual([])
})

it('would be missed where it is on no list', () => {
  expect(unlistedHeaders(paymentsService.facts, 'answer header', ['content-type', 'x-planted'])).toEqual([
    'answer header x-planted: it is on no list',
  ])
})
