import { bodies, type Probes, payTill, read, subAccountOf, verdict } from './probe.ts'

const API = '/api/sandbox/v1'
const DEVICE = { headers: { 'Device-Id': 'till-1' } }

const wages = (callbackUrl: string) => ({
  phoneNumber: '255711000100',
  amount: 1000,
  currencyCode: 'TZS',
  narration: 'Wages',
  firstName: 'Asha',
  lastName: 'Mushi',
  serviceCode: 'TZ-TIGO-B2C',
  callbackUrl,
})

const stk = (callbackUrl: string) => ({
  phoneNumber: '254711000100',
  amount: 10,
  description: 'A description of more than 13 characters',
  accountReference: 'ORDER1',
  callbackUrl,
})

const toBank = (callbackUrl: string) => ({
  bankCode: '0068',
  beneficiaryName: 'Nobody Of That Name',
  creditAccountNumber: '01000000000000',
  amount: 100,
  narration: 'Invoice',
  callbackUrl,
})

/** Probes of choices between published candidates, and of what was assumed from the beginning. */
export const publishedProbes = {
  'error-body': async ({ world }) => Object.keys((await world.post(`${API}/till`, {})).body),
  'checkout-error-body': async ({ world }) => Object.keys((await world.post(`${API}/checkout-sessions`, {})).body),
  'duplicate-reference': async ({ world, receiver }) => {
    const till = { ...bodies.till(receiver.url()), referenceId: 'once' }
    await world.post(`${API}/till`, till)
    return [verdict(await world.post(`${API}/till`, till)), (await read(world, '/till/all')).length]
  },
  'duplicate-external-reference': async ({ world, receiver }) => {
    const session = { ...bodies.checkout(receiver.url()), externalReference: 'once' }
    const first = await world.post(`${API}/checkout-sessions`, session)
    const second = await world.post(`${API}/checkout-sessions`, session)
    return [second.status, first.body.id === second.body.id]
  },
  'reference-lookup': async ({ world, receiver }) => {
    await world.post(`${API}/paybill`, {
      ...bodies.till(receiver.url()),
      accountNumber: 'A1',
      referenceId: 'mine',
    })
    return verdict(await world.get(`${API}/paybill/single?requestId=mine`))
  },
  'funds-check': async ({ world, receiver }) =>
    verdict(await world.post(`${API}/till`, { ...bodies.till(receiver.url()), amount: 9_000_000 })),
  'documented-limits': async ({ world, receiver }) => verdict(await world.post(`${API}/stk/new`, stk(receiver.url()))),
  'text-limits': async ({ world, receiver }) =>
    verdict(await world.post(`${API}/till`, { ...bodies.till(receiver.url()), remarks: 'r'.repeat(101) })),
  'short-code-format': async ({ world, receiver }) => {
    const numbers: string[] = []
    for (const businessNumber of ['1', '12345', '1234567890'])
      numbers.push(verdict(await world.post(`${API}/till`, { ...bodies.till(receiver.url()), businessNumber })))
    return numbers
  },
  'phone-format': async ({ world, receiver }) =>
    verdict(await world.post(`${API}/send-money`, { ...bodies.sendMoney(receiver.url()), phoneNumber: '0712345678' })),
  'list-order': async ({ world, receiver }) => {
    for (let n = 0; n < 2; n++) await payTill(world, receiver.url())
    return (await read(world, '/till/all')).map(({ id }: { id: number }) => id)
  },
  'list-scope': async ({ world, receiver }) => {
    const { token, uuid } = await subAccountOf(world)
    await world.control('POST', '/wallets/fund', { organisationId: uuid, currency: 'KES', amount: 1000 })
    await world.post(`${API}/till`, bodies.till(receiver.url()), { token })
    return (await read(world, '/till/all')).length
  },
  'status-read-code': async ({ world, receiver }) => {
    const id = await payTill(world, receiver.url())
    return (await world.get(`${API}/till/status?requestId=${id}&companyId=${world.companyId}`)).status
  },
  'tz-status-word': async ({ world, receiver }) => {
    const { body } = await world.post(`${API}/send-money`, wages(receiver.url()))
    return (await world.get(`/api/v1/tz/spending/single?requestId=${body.data.requestId}`, DEVICE)).body.data.status
  },
  'timestamp-form': async ({ world, receiver }) => {
    for (let n = 0; n < 8; n++) await payTill(world, receiver.url())
    return (await read(world, '/till/all')).map(({ createdAt }: { createdAt: string }) => createdAt.endsWith('Z'))
  },
  'timestamp-zone': async ({ world, receiver }) => {
    await payTill(world, receiver.url())
    return (await read(world, '/till/all'))[0].createdAt
  },
  'pending-updates': {
    scenario: { rules: [{ name: 'waits', on: ['till', 'paybill'], then: { after: '1h', end: 'SUCCESS' } }] },
    probe: async ({ world, receiver }) => {
      await payTill(world, receiver.url())
      await world.post(`${API}/paybill`, { ...bodies.till(receiver.url()), accountNumber: 'A1' })
      await world.advance('4m')
      const [till] = await read(world, '/till/all')
      const [paybill] = await read(world, '/paybill/all')
      return [till, paybill].map(({ createdAt, updatedAt }) => createdAt === updatedAt)
    },
  },
  'checkout-cancel': async ({ world, receiver }) => {
    const { body } = await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url()))
    await world.control('POST', `/checkout/${body.id}/cancel`)
    return (await world.get(`${API}/checkout-sessions/${body.id}`)).body.status
  },
  'redirect-parameters': async ({ world, receiver }) => {
    const { body } = await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url()))
    await world.control('POST', `/checkout/${body.id}/pay`, { method: 'CARD' })
    await world.advance('1m')
    const page = await fetch(body.checkoutUrl, { redirect: 'manual' })
    return ((await page.text()) + page.headers.get('location')).includes('checkoutSessionId')
  },
  'parent-flag': async ({ world }) => {
    await world.control('POST', '/collections/bank', { amount: 10 })
    const [alone] = await read(world, '/bank/collection/all')
    await subAccountOf(world)
    const [parent] = await read(world, '/bank/collection/all')
    return [alone.organisation.parent, parent.organisation.parent]
  },
  'allocation-callers': async ({ world }) => {
    const sub = await subAccountOf(world)
    const move = (noun: string, from: string, to: string) => {
      const body = { fromOrganisationId: from, toOrganisationId: to, amount: 1 }
      return world.post(`${API}/${noun}/new`, body, { token: sub.token })
    }
    await world.post(`${API}/allocations/new`, {
      fromOrganisationId: world.companyId,
      toOrganisationId: sub.uuid,
      amount: 10,
    })
    return [
      verdict(await move('allocations', sub.uuid, world.companyId)),
      verdict(await move('de-allocations', sub.uuid, world.companyId)),
    ]
  },
  'second-cancel': async ({ world }) => {
    const sub = await subAccountOf(world)
    const { body } = await world.post(`${API}/allocations/new`, {
      fromOrganisationId: world.companyId,
      toOrganisationId: sub.uuid,
      amount: 10,
    })
    const cancel = () => world.get(`${API}/allocations/single/cancel?allocationId=${body.data.requestId}`)
    await cancel()
    return verdict(await cancel())
  },
  'cancelled-allocation-status': async ({ world }) => {
    const sub = await subAccountOf(world)
    const { body } = await world.post(`${API}/allocations/new`, {
      fromOrganisationId: world.companyId,
      toOrganisationId: sub.uuid,
      amount: 10,
    })
    await world.get(`${API}/allocations/single/cancel?allocationId=${body.data.requestId}`)
    return (await read(world, '/allocations/allocations/org/all'))[0].status
  },
  'success-record': async ({ world, receiver }) => {
    await payTill(world, receiver.url())
    await world.advance('1m')
    return (await read(world, '/till/all'))[0].transactionReceipt === null
  },
  'breakdown-totals': async ({ world }) => {
    const sub = await subAccountOf(world)
    await world.control('POST', '/collections/bank', { amount: 10, organisationId: sub.uuid })
    return (await world.get(`${API}/multiaccount/wallet/total/breakdown`)).body[0].totalCollections
  },
  'net-balance': async ({ world }) => {
    const sub = await subAccountOf(world)
    await world.post(`${API}/allocations/new`, {
      fromOrganisationId: world.companyId,
      toOrganisationId: sub.uuid,
      amount: 10,
    })
    return (await world.get(`${API}/multiaccount/wallet/total/breakdown`)).body[0].netBalance
  },
  'malformed-ids': {
    given: { 'reference-lookup': 'off' },
    probe: async ({ world }) => verdict(await world.get(`${API}/paybill/single?requestId=none`)),
  },
  'tz-error-body': async ({ world }) => Object.keys((await world.get('/api/v1/tz/spending/single', DEVICE)).body),
  'name-mismatch': async ({ world, receiver }) => {
    const answer = await world.post(`${API}/bank/payout/new`, {
      ...toBank(receiver.url()),
      creditAccountNumber: '0123456789',
      beneficiaryName: 'Somebody Else',
    })
    await world.advance('1m')
    return [verdict(answer), receiver.received.map(({ body }) => body.status), await world.available()]
  },
  'unlisted-accounts': async ({ world, receiver }) => {
    await world.post(`${API}/bank/payout/new`, toBank(receiver.url()))
    await world.advance('4m')
    return (await read(world, '/bank/payout/all'))[0].status
  },
  'bank-code-format': async ({ world, receiver }) => {
    const answers: string[] = []
    for (const bankCode of ['0068', '00683', '1032', 'EQUITY'])
      answers.push(verdict(await world.post(`${API}/bank/payout/new`, { ...toBank(receiver.url()), bankCode })))
    return answers
  },
} as const satisfies Probes
