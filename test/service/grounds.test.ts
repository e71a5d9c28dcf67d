/** What is assumed or published is not called specified, and what is chosen is done. */
import { expect, it } from 'vitest'
import { defaultsOf } from '../../src/core/model/assumption.ts'
import { examplesAt } from '../../src/service/examples/examples.ts'
import { paymentsService } from '../../src/service/service.ts'
import { useBench } from '../support/harness.ts'
import { bodies } from './assumptions/sending.ts'

const bench = useBench()
const api = '/api/sandbox/v1'

it('says nothing of its own pages to who asks for an unknown path', async () => {
  const { status, body } = await (await bench.world()).get('/api/sandbox/v1/nothing')
  expect([status, body.error.details]).toEqual([404, 'nothing is at GET /api/sandbox/v1/nothing'])
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
  expect(currency['x-constraints'].enum['x-convention']).toBe('the currency of a checkout session')
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
