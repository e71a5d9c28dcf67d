/** What shows the alternatives of the few assumptions that nobody can ask the real service about. */
import type { AssumptionId } from '../../../src/service/assumptions/assumptions.ts'
import { bodies } from '../../support/bodies.ts'
import type { Receiver, TestWorld } from '../../support/harness.ts'
import { everyOne, payTill, read } from './sending.ts'

const API = '/api/sandbox/v1'
const revised = everyOne('till', { after: '1s', end: 'SUCCESS', revise: { after: '1s', end: 'FAILED' } })

interface Shown {
  scenario?: object
  /** Another value under every alternative. */
  shown(world: TestWorld, receiver: Receiver): Promise<unknown>
}

export const shows: { readonly [Id in AssumptionId]?: Shown } = {
  'retry-after': {
    scenario: { faults: [{ name: 'one a minute', on: '*', then: { rateLimit: { max: 1, per: '1m' } } }] },
    shown: async (world) => {
      await world.get(`${API}/paybill/all`)
      const limited = await world.get(`${API}/paybill/all`)
      return [limited.status, limited.headers.has('retry-after')]
    },
  },
  'reversal-callback': {
    scenario: revised,
    shown: async (world, receiver) => {
      await payTill(world, receiver.url('/told'))
      await world.advance('1m')
      return receiver.at('/told').map(({ status }) => status)
    },
  },
  'unlisted-accounts': {
    shown: async (world, receiver) => {
      await world.post(`${API}/bank/payout/new`, {
        ...bodies.bankPayout(receiver.url()),
        beneficiaryName: 'Nobody Of That Name',
        creditAccountNumber: '01000000000000',
      })
      await world.advance('4m')
      return (await read(world, '/bank/payout/all'))[0].status
    },
  },
  'bank-collection-callback': {
    shown: async (world, receiver) => {
      const collectionCallbackUrl = receiver.url(`/collected/${world.id}`)
      await world.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl })
      await world.control('POST', '/collections/bank', { amount: 10 })
      await world.advance('1m')
      return receiver.at(`/collected/${world.id}`).map((body) => 'transactionref' in body)
    },
  },
  'checkout-cancel': {
    shown: async (world, receiver) => {
      const { body } = await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url('/session')))
      await world.control('POST', `/checkout/${body.id}/cancel`)
      return (await world.get(`${API}/checkout-sessions/${body.id}`)).body.status
    },
  },
  'prompt-life': {
    shown: async (world, receiver) => {
      const { body } = await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url('/session')))
      await world.control('POST', `/checkout/${body.id}/pay`, { method: 'MPESA_STK', phoneNumber: '254711000100' })
      await world.advance('10s')
      return (await world.get(`${API}/checkout-sessions/${body.id}`)).body.status
    },
  },
}
