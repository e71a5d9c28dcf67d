/** Conventions about how requests are read, and about tokens. */
import { gzipSync } from 'node:zlib'
import { bodies } from '../../support/bodies.ts'
import type { Receiver, TestWorld } from '../../support/harness.ts'

const api = '/api/sandbox/v1'

/** What shows a convention in a world of its own, and how it shows. */
export type Shown = readonly [asked: (world: TestWorld, receiver: Receiver) => Promise<unknown>, is: unknown]

const sent = async (world: TestWorld, text: string) => ({
  headers: { authorization: `Bearer ${await world.token()}`, 'content-type': 'application/json' },
  body: text,
})

export const ofRequests: Readonly<Record<string, Shown>> = {
  'a second token': [
    async (world) => {
      const { apiKey, apiSecret } = world.credentials
      const login = () => world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
      const [first, second] = [await login(), await login()]
      await world.advance('299s')
      const { status } = await world.get(`${api}/paybill/all`, { token: second.body.data.access_token })
      return [first.body.data.access_token === second.body.data.access_token, second.body.data.expires_in, status]
    },
    [false, 300, 200],
  ],
  'a blank parameter of the query': [
    async (world) => (await world.get(`${api}/send-money/all?companyId=`)).body.error.code,
    'REQ_INVALID_FIELD',
  ],
  'a key that a body has twice': [
    async (world, receiver) => {
      const json = JSON.stringify(bodies.till(receiver.url())).replace('{', '{"amount":7,')
      return (await world.raw('POST', `${api}/till`, await sent(world, json))).body.data.amount
    },
    100,
  ],
  'capitals in a uuid': [
    async (world) => (await world.get(`${api}/send-money/all?companyId=${world.companyId.toUpperCase()}`)).status,
    200,
  ],
  'a body with Content-Encoding': [
    async (world, receiver) => {
      const { headers } = await sent(world, '')
      const body = gzipSync(JSON.stringify(bodies.till(receiver.url())))
      const answer = await fetch(`${world.baseUrl}${api}/till`, {
        method: 'POST',
        headers: { ...headers, 'content-encoding': 'gzip' },
        body,
      })
      return [answer.status, (await answer.json()).error.code]
    },
    [415, 'REQ_BAD_REQUEST'],
  ],
  'serviceCode or channel, and the network of the phone': [
    async (world, receiver) => {
      const names = { firstName: 'Asha', lastName: 'Mushi', serviceCode: 'TZ-AIRTEL-B2C' }
      const asha = { amount: 1000, narration: 'Wages', ...names, phoneNumber: '255711000100', currencyCode: 'TZS' }
      return (await world.post(`${api}/send-money`, { ...asha, callbackUrl: receiver.url() })).status
    },
    201,
  ],
  'headers that are too large': [
    async (world) => {
      const answer = await fetch(`${world.baseUrl}${api}/till`, { headers: { memo: 'x'.repeat(20_000) } })
      return [answer.status, await answer.text()]
    },
    [431, ''],
  ],
  'the text of an account number': [
    async (world, receiver) => {
      const asked = { ...bodies.till(receiver.url()), accountNumber: 'Shop 7/ñ №' }
      return (await world.post(`${api}/paybill`, asked)).body.data.accountNumber
    },
    'Shop 7/ñ №',
  ],
}
