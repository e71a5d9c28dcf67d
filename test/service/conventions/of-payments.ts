/** Conventions about money, the hosted page, and what reads show. */

import { bodies } from '../../support/bodies.ts'
import type { TestWorld } from '../../support/harness.ts'
import { read, subAccountOf } from '../assumptions/sending.ts'
import type { Shown } from './of-requests.ts'

const api = '/api/sandbox/v1'
const abroad = { narration: 'Wages', amount: 20_000_000 }
const ugx = { ...abroad, phoneNumber: '256771000100', currencyCode: 'UGX', customerName: 'Sarah Nakato' }
const asha = { firstName: 'Asha', lastName: 'Mushi', serviceCode: 'TZ-TIGO-B2C' }
const declined = { method: 'CARD', card: { number: '4000000000000002', expiry: '08/30', cvc: '123' } }

const collect = (phoneNumber: string, callbackUrl: string, more: object = {}) => ({
  ...bodies.stk(callbackUrl),
  phoneNumber,
  ...more,
})
const tanzanian = { currencyCode: 'TZS', channel: 'TZ-TIGO-C2B' }
const ugandan = { currencyCode: 'UGX', narration: 'Order 1', customerName: 'Sarah Nakato' }

/** Gives what was made. */
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
async function made(world: TestWorld, path: string, body: object, token?: string): Promise<any> {
  const { status, body: answered } = await world.post(`${api}${path}`, body, { ...(token !== undefined && { token }) })
  return status === 201 ? (answered.data ?? answered) : answered
}

/** How a session ends that is paid so. */
async function paidBy(world: TestWorld, id: string, by: object): Promise<string> {
  await world.control('POST', `/checkout/${id}/pay`, by)
  await world.advance('10s')
  return (await world.get(`${api}/checkout-sessions/${id}`)).body.status
}

/** A form, whichever letters and digits there are. */
const formOf = (text: string) => text.replaceAll(/\d/g, '0')

export const ofPayments: Readonly<Record<string, Shown>> = {
  'wallets of an organisation': [
    async (world) => {
      const { uuid, token } = await subAccountOf(world)
      await world.control('POST', '/wallets/fund', { organisationId: uuid, currency: 'KES', amount: 50_000_000 })
      return (await world.post(`${api}/send-money`, ugx, { token })).body.error.code
    },
    'INSUFFICIENT_FUNDS',
  ],
  'occasion in the record of a payout': [
    async (world, receiver) => {
      await made(world, '/send-money', bodies.sendMoney(receiver.url()))
      await made(world, '/send-money', ugx)
      return (await read(world, `/send-money/all?companyId=${world.companyId}`)).map(
        ({ occasion }: { occasion: string | null }) => occasion,
      )
    },
    [bodies.sendMoney('').occasion, null],
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
    async (world, receiver) => {
      const { id } = (await world.post(`${api}/checkout-sessions`, bodies.checkout(receiver.url()))).body
      const end = await paidBy(world, id, declined)
      return [end, (await world.raw('POST', `/_mfano/checkout/${id}/pay`, { body: { method: 'CARD' } })).status]
    },
    ['FAILED', 409],
  ],
  'collected money': [
    async (world, receiver) => {
      const { uuid, token } = await subAccountOf(world)
      await world.control('POST', '/collections/bank', { amount: 100, organisationId: uuid })
      return (await world.post(`${api}/till`, bodies.till(receiver.url()), { token })).status
    },
    201,
  ],
  'two prompts at once on one phone': [
    async (world, receiver) => {
      for (let n = 0; n < 2; n++) await made(world, '/stk/new', collect('254711000100', receiver.url()))
      await world.advance('1m')
      return (await read(world, '/stk/all')).map(({ status }: { status: string }) => status)
    },
    ['SUCCESS', 'SUCCESS'],
  ],
  'how like a beneficiary name has to be': [
    async (world, receiver) => {
      for (const beneficiaryName of ['Jane Mwangi', 'Jane Otieno'])
        await made(world, '/bank/payout/new', { ...bodies.bankPayout(receiver.url()), beneficiaryName })
      await world.advance('4m')
      return (await read(world, '/bank/payout/all')).map(({ status }: { status: string }) => status)
    },
    ['SUCCESS', 'FAILED'],
  ],
  'where a payer goes who has not paid': [
    async (world, receiver) => {
      const [failed, expired] = [
        await made(world, '/checkout-sessions', bodies.checkout(receiver.url())),
        await made(world, '/checkout-sessions', bodies.checkout(receiver.url())),
      ]
      const ends = [await paidBy(world, failed.id, declined)]
      await world.advance('31m')
      world.logout()
      ends.push((await world.get(`${api}/checkout-sessions/${expired.id}`)).body.status)
      const pages = await Promise.all([failed, expired].map(async (one) => (await fetch(one.checkoutUrl)).text()))
      return [...ends, ...pages.map((page) => page.match(/https:\/\/merchant\.example[^"]*/g))]
    },
    ['FAILED', 'EXPIRED', ['https://merchant.example/cancelled'], ['https://merchant.example/cancelled']],
  ],
  'phones that the page asks': [
    async (world, receiver) => {
      const { id } = await made(world, '/checkout-sessions', bodies.checkout(receiver.url()))
      return paidBy(world, id, { method: 'MPESA_STK', phoneNumber: '+237670000000' })
    },
    'SUCCEEDED',
  ],
  'cents by M-Pesa': [
    async (world, receiver) => {
      const asked = { ...bodies.checkout(receiver.url()), amount: 10.5 }
      const { id } = await made(world, '/checkout-sessions', asked)
      return paidBy(world, id, { method: 'MPESA_STK', phoneNumber: '0711000100' })
    },
    'SUCCEEDED',
  ],
  'what the Tanzanian reads find': [
    async (world, receiver) => {
      const wages = { ...abroad, ...asha, amount: 1000, phoneNumber: '255711000100', currencyCode: 'TZS' }
      const statuses: number[] = []
      for (const body of [{ ...wages, callbackUrl: receiver.url() }, bodies.sendMoney(receiver.url())]) {
        const { requestId } = await made(world, '/send-money', body)
        const device = { headers: { 'device-id': 'till-1' } }
        statuses.push((await world.get(`/api/v1/tz/spending/single?requestId=${requestId}`, device)).status)
        const single = `${api}/send-money/single?requestId=${requestId}&companyId=${world.companyId}`
        statuses.push((await world.get(single)).status)
      }
      return statuses
    },
    [200, 200, 404, 200],
  ],
  'companyId of a single read': [
    async (world, receiver) => {
      const { uuid, token } = await subAccountOf(world)
      await world.control('POST', '/collections/bank', { amount: 100, organisationId: uuid })
      const { requestId } = await made(world, '/till', bodies.till(receiver.url()), token)
      const by = async (companyId: string) =>
        (await world.get(`${api}/till/single?requestId=${requestId}&companyId=${companyId}`)).status
      return [await by(uuid), await by(world.companyId)]
    },
    [200, 404],
  ],
  'receiverPhoneNumber of a bank payout': [
    async (world, receiver) => {
      await made(world, '/bank/payout/new', bodies.bankPayout(receiver.url()))
      const [{ receiverPhoneNumber, organisation }] = await read(world, '/bank/payout/all')
      return [receiverPhoneNumber, organisation.phoneNumber]
    },
    ['254700000000', '254700000000'],
  ],
  'phoneNumber of a Tanzanian or Ugandan collection': [
    async (world, receiver) => {
      await made(world, '/stk/new', collect('254711000100', receiver.url()))
      await made(world, '/stk/new', collect('255711000100', receiver.url(), tanzanian))
      await made(world, '/stk/new', collect('256771000100', receiver.url(), ugandan))
      return (await read(world, '/stk/all')).map(({ phoneNumber }: { phoneNumber: string }) => phoneNumber)
    },
    ['0711000100', '255711000100', '256771000100'],
  ],
  'merchantRequestId and checkoutRequestId abroad': [
    async (world, receiver) => {
      await made(world, '/stk/new', collect('254711000100', receiver.url()))
      await made(world, '/stk/new', collect('255711000100', receiver.url(), tanzanian))
      const [kenyan, other] = await read(world, '/stk/all')
      const forms = (one: typeof kenyan) => [one.merchantRequestId, one.checkoutRequestId].map(formOf).join()
      return forms(kenyan) === forms(other) && forms(kenyan).includes('ws_CO_')
    },
    true,
  ],
  'id in records': [
    async (world, receiver) => {
      const { uuid, token } = await subAccountOf(world)
      await world.control('POST', '/collections/bank', { amount: 100, organisationId: uuid })
      await made(world, '/till', bodies.till(receiver.url()))
      await made(world, '/till', bodies.till(receiver.url()), token)
      await made(world, '/send-money', bodies.sendMoney(receiver.url()))
      const [own] = await read(world, '/till/all')
      const [ofSub] = (await world.get(`${api}/till/all`, { token })).body.data
      const [sent] = await read(world, `/send-money/all?companyId=${world.companyId}`)
      return [own.id, ofSub.id, sent.id]
    },
    [1, 2, 1],
  ],
  'the counter of checkoutRef': [
    async (world, receiver) => {
      const first = await made(world, '/checkout-sessions', bodies.checkout(receiver.url()))
      await world.advance('1d')
      world.logout()
      const second = await made(world, '/checkout-sessions', bodies.checkout(receiver.url()))
      return [first.checkoutRef, second.checkoutRef]
    },
    ['CHK-20250124-000001', 'CHK-20250125-000002'],
  ],
}
