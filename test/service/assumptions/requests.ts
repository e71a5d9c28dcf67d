import { asking, bodies, type Probes, verdict } from './probe.ts'

const API = '/api/sandbox/v1'

/** Every payment of a kind fails. */
const failing = (kind: string) => ({
  rules: [{ name: 'all fail', on: kind, then: { after: '2s', end: 'FAILED' } }],
})

export const requestProbes = {
  'check-order': async ({ world }) =>
    verdict(await world.post(`${API}/till`, { ...bodies.till('no address') }, { token: 'not one of ours' })),
  'retry-after': {
    scenario: { faults: [{ name: 'one a minute', on: '*', then: { rateLimit: { max: 1, per: '1m' } } }] },
    probe: async ({ world }) => {
      await world.get(`${API}/paybill/all`)
      const limited = await world.get(`${API}/paybill/all`)
      return [limited.status, limited.headers.has('retry-after')]
    },
  },
  'blank-text': async ({ world, receiver }) => {
    const till = bodies.till(receiver.url())
    return [
      verdict(await world.post(`${API}/till`, { ...till, remarks: ' ' })),
      verdict(await world.post(`${API}/till`, { ...till, referenceId: '' })),
    ]
  },
  'null-fields': asking('/till', () => ({ referenceId: null }), 'till'),
  'unknown-fields': asking('/till', () => ({ memo: 'x' }), 'till'),
  'unknown-parameters': async ({ world }) => verdict(await world.get(`${API}/paybill/all?page=2`)),
  'number-forms': asking('/till', () => ({ amount: '100', businessNumber: 123456 }), 'till'),
  decimals: async ({ world, receiver }) => {
    const till = { ...bodies.till(receiver.url()), amount: 10.126 }
    const { body } = await world.post(`${API}/till`, till)
    return body.data?.amount ?? body.error.code
  },
  'missing-code': async ({ world, receiver }) => {
    const till = bodies.till(receiver.url())
    return [
      verdict(await world.post(`${API}/till`, { ...till, remarks: undefined })),
      verdict(await world.post(`${API}/till`, { ...till, remarks: undefined, amount: -1 })),
    ]
  },
  'invented-limits': asking('/till', () => ({ referenceId: 'r'.repeat(201) }), 'till'),
  'contact-forms': asking('/checkout-sessions', () => ({ customerEmail: 'none', customerPhone: '0700' }), 'checkout'),
  'url-rules': asking('/till', () => ({}), 'till'),
  'payment-methods': async ({ world, receiver }) => {
    const session = await world.post(`${API}/checkout-sessions`, {
      ...bodies.checkout(receiver.url()),
      paymentMethods: [],
    })
    if (session.status !== 201) return verdict(session)
    const page = await fetch(session.body.checkoutUrl)
    return (await page.text()).includes('M-PESA')
  },
  'required-fields': asking(
    '/multiaccount/new/organisation',
    () => ({ user: { username: 'jane', password: 'a-long-first-password' } }),
    'subAccount',
  ),
  'published-company-id': async ({ world }) => verdict(await world.get(`${API}/till/all`)),
  'verification-failure': {
    given: { 'unlisted-operations': 'on' },
    scenario: failing('account-verification'),
    probe: async ({ world, receiver }) => {
      await world.post(`${API}/bank/payout/verify-account`, {
        bankCode: '0068',
        accountNumber: '0123456789',
        callbackUrl: receiver.url('/verified'),
      })
      await world.advance('1m')
      return receiver.at('/verified').map(({ status }) => status)
    },
  },
} as const satisfies Probes
