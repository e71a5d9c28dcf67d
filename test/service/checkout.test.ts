import { expect, it } from 'vitest'
import { assumptions } from '../../src/service/assumptions/assumptions.ts'
import { asContracted, keysOf } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/checkout-sessions'
const request = () => ({
  amount: 1500,
  currency: 'KES',
  description: 'Payment for order #12345',
  successUrl: 'https://portal.merchant.example/checkout/success',
  cancelUrl: 'https://portal.merchant.example/checkout/cancel',
  paymentMethods: ['CARD', 'MPESA_STK'],
  externalReference: 'ORDER-12345-EXT',
  customerEmail: 'customer@merchant.example',
  customerPhone: '+237600000000',
  paymentReference: 'ORDER-12345-EXT',
  callbackUrl: bench.receiver.url(),
})

it('creates a session without an envelope and reads it back', async () => {
  const world = await bench.world()
  const made = asContracted('createCheckoutSession', await world.post(base, request()))
  expect(keysOf(made)).toBe('id checkoutUrl checkoutRef status')
  expect(made.checkoutUrl).toMatch(new RegExp(`^${world.baseUrl}/session/chk_[0-9A-Z]{19}$`))
  expect(made.checkoutRef).toBe('CHK-20250124-000001')
  const read = await world.get(`${base}/${made.id}`)
  asContracted('getCheckoutSession', read)
  expect(read.text).toBe(
    `{"id":"${made.id}","amount":1500,"currency":"KES","description":"Payment for order #12345","customerEmail":"customer@merchant.example","customerMsisdn":"+237600000000","externalRef":"ORDER-12345-EXT","paymentMethods":["CARD","MPESA_STK"],"merchantDisplayName":"Example Merchant Ltd","merchantLogoUrl":null,"status":"PENDING"}`,
  )
})

it('sends the keys of a callback in the order that the note of its assumption gives', async () => {
  const world = await bench.world()
  const { id } = (await world.post(base, request())).body
  await world.control('POST', `/checkout/${id}/pay`, { method: 'CARD' })
  await world.advance('10s')
  const { note } = assumptions['checkout-callback']
  const [, order = ''] = /session: ([\w, ]+), in this order/.exec(note) ?? []
  expect(Object.keys(bench.receiver.received[0]?.body)).toEqual(order.split(', '))
})

it('needs six fields and takes null for the others', async () => {
  const world = await bench.world()
  const empty = await world.post(base, {})
  expect(empty.body).toEqual({
    message: 'Invalid request payload',
    errors: {
      amount: ['amount is required'],
      currency: ['currency is required'],
      description: ['description is required'],
      successUrl: ['successUrl is required'],
      cancelUrl: ['cancelUrl is required'],
      paymentMethods: ['paymentMethods is required'],
    },
  })
  const { amount, currency, description, successUrl, cancelUrl, paymentMethods } = request()
  const bare = {
    amount,
    currency,
    description,
    successUrl,
    cancelUrl,
    paymentMethods,
    callbackUrl: null,
    customerEmail: null,
  }
  asContracted('createCheckoutSession', await world.post(base, bare))
})

it('names every wrong field at once, in the published words', async () => {
  const world = await bench.world()
  const answer = await world.post(base, {
    ...request(),
    amount: 0,
    currency: undefined,
    paymentMethods: ['CARD', 'PAYPAL'],
    customerEmail: 'nobody',
    customerPhone: '0700000001',
    callbackUrl: 'mailto:x@merchant.example',
  })
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    message: 'Invalid request payload',
    errors: {
      amount: ['amount must be greater than 0'],
      currency: ['currency is required'],
      'paymentMethods.1': ['paymentMethods.1 must be one of CARD, MPESA_STK'],
      customerEmail: ['customerEmail must be an e-mail address'],
      customerPhone: ['customerPhone must be + and 7 to 15 digits'],
      callbackUrl: ['callbackUrl must be an http or https URL'],
    },
  })
})

it('takes shillings of Kenya only, and each payment method once', async () => {
  const world = await bench.world()
  const errors = async (change: object) => (await world.post(base, { ...request(), ...change })).body.errors
  expect(await errors({ currency: 'USD' })).toEqual({
    currency: ['currency must be KES, the only currency that is known here'],
  })
  expect(await errors({ paymentMethods: [] })).toEqual({
    paymentMethods: ['paymentMethods must name at least one method'],
  })
  expect(await errors({ paymentMethods: ['CARD', 'CARD'] })).toEqual({
    paymentMethods: ['paymentMethods must not name a method twice'],
  })
})
