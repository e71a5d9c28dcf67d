import type { TestWorld } from '../../support/harness.ts'
import { bodies, everyOne, type Probes, payTill, read, subAccountOf, verdict } from './probe.ts'

const API = '/api/sandbox/v1'

const allocation = (world: TestWorld, from: string, to: string, more: object = {}, noun = 'allocations') =>
  world.post(`${API}/${noun}/new`, { fromOrganisationId: from, toOrganisationId: to, amount: 20, ...more })

export const paymentProbes = {
  'refusal-order': {
    scenario: { rules: [{ name: 'closed', on: 'till', then: { refuse: { code: 'SERVICE_UNAVAILABLE' } } }] },
    probe: async ({ world, receiver }) =>
      verdict(await world.post(`${API}/till`, { ...bodies.till(receiver.url()), amount: 9_000_000 })),
  },
  'whole-shillings': async ({ world }) =>
    verdict(
      await world.post(`${API}/send-money`, {
        phoneNumber: '256771000100',
        amount: 1000.5,
        currencyCode: 'UGX',
        narration: 'Wages',
        customerName: 'Sarah Nakato',
      }),
    ),
  'foreign-company': async ({ world }) => {
    const sub = await subAccountOf(world)
    return verdict(await world.get(`${API}/send-money/all?companyId=${world.companyId}`, { token: sub.token }))
  },
  'foreign-payment': async ({ world, receiver }) => {
    const sub = await subAccountOf(world)
    const id = await payTill(world, receiver.url())
    const path = `${API}/till/single?requestId=${id}&companyId=${sub.uuid}`
    return verdict(await world.get(path, { token: sub.token }))
  },
  'allocation-direction': async ({ world }) => {
    const sub = await subAccountOf(world)
    await allocation(world, world.companyId, sub.uuid)
    return [
      verdict(await allocation(world, sub.uuid, world.companyId)),
      verdict(await allocation(world, world.companyId, sub.uuid, {}, 'de-allocations')),
    ]
  },
  'allocation-to-oneself': async ({ world }) => {
    const answer = verdict(await allocation(world, world.companyId, world.companyId))
    return [answer, await world.available()]
  },
  'allocation-currency': async ({ world }) => {
    const sub = await subAccountOf(world)
    await allocation(world, world.companyId, sub.uuid, { currency: 'TZS' })
    return [await world.available('KES', sub.uuid), await world.available('TZS', sub.uuid)]
  },
  'taken-usernames': async ({ world }) => {
    await subAccountOf(world)
    return verdict((await subAccountOf(world)).answer)
  },
  'absent-account': async ({ world, receiver }) => {
    const id = await payTill(world, receiver.url())
    return (await read(world, `/till/single?requestId=${id}&companyId=${world.companyId}`)).accountNumber
  },
  'second-subscribe': async ({ world }) => {
    await world.post(`${API}/multiaccount/subscribe`, undefined)
    return verdict(await world.post(`${API}/multiaccount/subscribe`, undefined))
  },
  'checkout-status-code': async ({ world, receiver }) =>
    (await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url()))).status,
  'list-pages': async ({ world, receiver }) => {
    for (let n = 0; n < 22; n++) await payTill(world, receiver.url())
    const sizes: number[] = []
    for (const page of [0, 1]) sizes.push((await read(world, `/till/all?page=${page}`)).length)
    return sizes
  },
  'list-filters': async ({ world, receiver }) => {
    await payTill(world, receiver.url())
    await world.control('POST', '/collections/bank', { amount: 7, description: 'd' })
    const pending = (await read(world, '/till/all?status=SUCCESS')).length
    return [pending, (await read(world, '/bank/collection/all?status=PENDING')).length]
  },
  'tanzania-in-lists': async ({ world, receiver }) => {
    const wages = {
      phoneNumber: '255711000100',
      amount: 1000,
      currencyCode: 'TZS',
      narration: 'Wages',
      firstName: 'Asha',
      lastName: 'Mushi',
      serviceCode: 'TZ-TIGO-B2C',
      callbackUrl: receiver.url(),
    }
    await world.post(`${API}/send-money`, wages)
    return (await read(world, `/send-money/all?companyId=${world.companyId}`)).length
  },
  'payout-direction': async (stage) => (await paidToBank(stage.world, stage.receiver.url())).direction,
  'fee-fields': {
    scenario: { rails: { fees: [{ name: 'flat', on: 'bank-payout', amount: 50 }] } },
    probe: async ({ world, receiver }) => (await paidToBank(world, receiver.url())).transaction_fee,
  },
  'narration-in-records': async ({ world }) => {
    await world.post(`${API}/send-money`, {
      phoneNumber: '256771000100',
      amount: 1000,
      currencyCode: 'UGX',
      narration: 'Wages',
      customerName: 'Sarah Nakato',
    })
    return (await read(world, `/send-money/all?companyId=${world.companyId}`))[0].remarks
  },
  'customer-id': async ({ world }) => {
    for (let n = 0; n < 2; n++) await world.control('POST', '/collections/bank', { amount: 10 })
    const [first, second] = await read(world, '/bank/collection/all')
    return first.customerid === second.customerid
  },
  'reversed-record': {
    scenario: everyOne('till', { after: '1s', end: 'SUCCESS', revise: { after: '1s', end: 'FAILED' } }),
    probe: async ({ world, receiver }) => {
      await payTill(world, receiver.url())
      await world.advance('5s')
      return (await read(world, '/till/all'))[0].transactionReceipt === null
    },
  },
  'failure-codes': {
    scenario: everyOne('till', { after: '1s', end: 'FAILED', with: { responseCode: 2001 } }),
    probe: async ({ world, receiver }) => {
      await payTill(world, receiver.url())
      await world.advance('5s')
      return (await read(world, '/till/all'))[0].responseCode
    },
  },
} as const satisfies Probes

async function paidToBank(world: TestWorld, callbackUrl: string) {
  await world.post(`${API}/bank/payout/new`, {
    bankCode: '0068',
    beneficiaryName: 'Jane Wanjiku Mwangi',
    creditAccountNumber: '01100000000422',
    amount: 2500,
    narration: 'Invoice 2041',
    callbackUrl,
  })
  await world.advance('1m')
  return (await read(world, '/bank/payout/all'))[0]
}
