/** What is assumed or published is not called specified, and what is chosen is done. */
import { expect, it } from 'vitest'
import { defaultsOf } from '../../src/core/model/assumption.ts'
import { examplesAt } from '../../src/service/examples/examples.ts'
import { paymentsService } from '../../src/service/service.ts'
import { assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'
import { bodies, subAccountOf } from './assumptions/sending.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

it('collects a session in another currency where that is the choice', async () => {
  const world = await bench.world(assuming({ 'checkout-currencies': 'all-three' }))
  const before = await world.available('TZS')
  const made = await world.post(`${api}/checkout-sessions`, {
    ...bodies.checkout(bench.receiver.url()),
    currency: 'TZS',
  })
  expect(made.status, made.text).toBe(201)
  await world.control('POST', `/checkout/${made.body.id}/pay`, { method: 'CARD' })
  await world.advance('10s')
  expect(await world.available('TZS')).toBe(before + 1500)
})

it('says nothing of its own pages to who asks for an unknown path', async () => {
  const { status, body } = await (await bench.world()).get('/api/sandbox/v1/nothing')
  expect([status, body.error.details]).toEqual([404, 'nothing is at GET /api/sandbox/v1/nothing'])
})

it('moves shillings of Kenya whatever currency an allocation names, and the journal names the field', async () => {
  const world = await bench.world()
  const { uuid } = await subAccountOf(world)
  const given = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20, currency: 'TZS' }
  expect((await world.post(`${api}/allocations/new`, given)).status).toBe(201)
  const { requests } = await world.control('GET', '/requests')
  expect(requests.find(({ path }: { path: string }) => path.endsWith('/allocations/new')).unreadFields).toEqual([
    'currency',
  ])
})

it('rests nothing on the specification that only the reference has, or that nobody shows', () => {
  const document = JSON.stringify(
    paymentsService.contract({
      baseUrl: 'http://localhost:8080',
      version: '1.2.3',
      assumptions: defaultsOf(paymentsService.assumptions),
      examples: examplesAt('http://localhost:8080'),
    }),
  )
  expect(document).toMatch(/"expires_in":\{[^{}]*"type":"integer"/)
  const { paths, components } = JSON.parse(document)
  const basisOfStatus = (path: string) => {
    const { schema } = paths[path].get.responses['200'].content['application/json']
    return schema.properties.status['x-constraints'].const['x-basis']
  }
  expect(basisOfStatus('/api/sandbox/v1/stk/all')).toBe('published')
  expect(basisOfStatus('/api/sandbox/v1/stk/single')).toBe('specified')
  const { currency } = components.schemas.CheckoutRequest.properties
  expect(currency['x-constraints'].enum['x-assumption']).toBe('checkout-currencies')
  expect(currency.enum).toEqual(['KES'])
  const { createdAt } = components.schemas.OrganisationSummary.properties
  expect(createdAt['x-constraints'].pattern['x-assumption']).toBe('timestamp-form')
})

it('sends the callback of a session with its keys in the order that the note of its assumption gives', async () => {
  const world = await bench.world()
  const asked = { ...bodies.checkout(bench.receiver.url()), externalReference: 'ORDER-1', paymentReference: 'P-1' }
  const { id } = (await world.post(`${api}/checkout-sessions`, asked)).body
  await world.control('POST', `/checkout/${id}/pay`, { method: 'CARD' })
  await world.advance('10s')
  const { note } = paymentsService.assumptions['checkout-callback'] as { note: string }
  const [, order = ''] = /session: ([\w, ]+), in this order/.exec(note) ?? []
  expect(Object.keys(bench.receiver.received[0]?.body)).toEqual(order.split(', '))
})
