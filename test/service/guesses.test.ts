import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { defaultsOf } from '../../src/core/model/assumption.ts'
import { examplesAt } from '../../src/service/examples/examples.ts'
import { guesses } from '../../src/service/facts/declared-guesses.ts'
import { facts } from '../../src/service/facts/facts.ts'
import { paymentsService } from '../../src/service/service.ts'
import { assuming } from '../support/contract.ts'
import { type TestWorld, useBench } from '../support/harness.ts'
import { bodies, read, subAccountOf } from './assumptions/sending.ts'

// What no source shows and no alternative is offered for is declared, and is so.

const bench = useBench()
const api = '/api/sandbox/v1'
const abroad = { narration: 'Wages', amount: 20_000_000 }
const ugx = { ...abroad, phoneNumber: '256771000100', currencyCode: 'UGX', customerName: 'Sarah Nakato' }

type Shown = (world: TestWorld) => Promise<unknown>

const shown: Readonly<Record<string, readonly [Shown, unknown]>> = {
  'a blank parameter of the query': [
    async (world) => (await world.get(`${api}/send-money/all?companyId=`)).body.error.code,
    'REQ_INVALID_FIELD',
  ],
  'a key that a body has twice': [
    async (world) => {
      const json = JSON.stringify(bodies.till(bench.receiver.url())).replace('{', '{"amount":7,')
      return (await world.raw('POST', `${api}/till`, await sent(world, json))).body.data.amount
    },
    100,
  ],
  'capitals in a uuid': [
    async (world) => (await world.get(`${api}/send-money/all?companyId=${world.companyId.toUpperCase()}`)).status,
    200,
  ],
  'a body with Content-Encoding': [
    async (world) => {
      const { headers } = await sent(world, '')
      const body = gzipSync(JSON.stringify(bodies.till(bench.receiver.url())))
      const answer = await fetch(`${world.baseUrl}${api}/till`, {
        method: 'POST',
        headers: { ...headers, 'content-encoding': 'gzip' },
        body,
      })
      return [answer.status, (await answer.json()).error.code]
    },
    [400, 'REQ_BAD_REQUEST'],
  ],
  'serviceCode or channel, and the network of the phone': [
    async (world) => {
      const names = { firstName: 'Asha', lastName: 'Mushi', serviceCode: 'TZ-AIRTEL-B2C' }
      const asha = { ...abroad, ...names, phoneNumber: '255711000100', currencyCode: 'TZS' }
      return (await world.post(`${api}/send-money`, { ...asha, callbackUrl: bench.receiver.url() })).status
    },
    201,
  ],
  'wallets of an organisation': [
    async (world) => {
      const { uuid, token } = await subAccountOf(world)
      await world.control('POST', '/wallets/fund', { organisationId: uuid, currency: 'KES', amount: 50_000_000 })
      return (await world.post(`${api}/send-money`, ugx, { token })).body.error.code
    },
    'INSUFFICIENT_FUNDS',
  ],
  'environment of a sub-account': [
    async (world) => {
      const { uuid } = await subAccountOf(world)
      await world.control('POST', '/collections/bank', { amount: 10, organisationId: uuid })
      const [record] = await read(world, '/multiaccount/organisation/all')
      const token = await world.login(await world.control('POST', `/organisations/${uuid}/credentials`))
      const collections = await world.get(`${api}/bank/collection/all`, { token })
      return [record.environment, collections.body.data[0].organisation.environment]
    },
    [null, 'sandbox'],
  ],
  'callbackUrl in the record of who sent none': [
    async (world) => {
      await world.post(`${api}/send-money`, ugx)
      return (await read(world, `/send-money/all?companyId=${world.companyId}`))[0].callbackUrl
    },
    '',
  ],
  'amounts of ten millions and more': [
    async (world) => (await world.post(`${api}/send-money`, ugx)).text.includes('"amount":20000000.0,'),
    true,
  ],
  'cents in the text of a bank collection': [
    async (world) => {
      await world.control('POST', '/collections/bank', { amount: 77.5 })
      return (await read(world, '/bank/collection/all'))[0].amount
    },
    '77.5',
  ],
  'a payment that failed on the page': [
    async (world) => {
      const { id } = (await world.post(`${api}/checkout-sessions`, bodies.checkout(bench.receiver.url()))).body
      const card = { number: '4000000000000002', expiry: '08/30', cvc: '123' }
      await world.control('POST', `/checkout/${id}/pay`, { method: 'CARD', card })
      await world.advance('10s')
      const again = await world.raw('POST', `/_mfano/checkout/${id}/pay`, { body: { method: 'CARD' } })
      return [(await world.get(`${api}/checkout-sessions/${id}`)).body.status, again.status]
    },
    ['FAILED', 409],
  ],
}

const sent = async (world: TestWorld, text: string) => ({
  headers: { authorization: `Bearer ${await world.token()}`, 'content-type': 'application/json' },
  body: text,
})

it.each(Object.entries(shown))('%s is as it is declared', async (name, [asked, is]) => {
  expect(facts.find((one) => one.about === 'guess' && one.name === name)).toMatchObject({
    basis: 'assumed',
    assumption: null,
    source: null,
  })
  expect(await asked(await bench.world())).toEqual(is)
})

it('says of each guess what happens, and why there is no choice', () => {
  const told = facts.filter(({ about }) => about === 'guess')
  expect(told.map(({ name }) => name)).toEqual(Object.keys(guesses))
  expect(told.filter(({ value, meaning }) => value.length === 0 || !/\w+ \w+/.test(meaning))).toEqual([])
})

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
