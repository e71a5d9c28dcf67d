/** Requests that several probes share. Equal requests are sent once, so sharing saves calls to the service. */
import type { ProbeRequest } from './probe.ts'

export const NOBODY = '00000000-0000-4000-8000-0000000bad1d'
/** More than any wallet holds, and too large for the service to count. */
const IMPOSSIBLE = 9_000_000_000_000_000
/** More than any sandbox wallet holds, but small enough to count, so the amount itself is valid. */
export const FAR_ABOVE = 900_000_000_000

type More = Partial<ProbeRequest>

const asking = (method: string, path: string, more: More): ProbeRequest => ({
  method,
  path: path.startsWith('/api/') ? path : `/api/sandbox/v1${path}`,
  ...more,
})

export const get = (path: string, more: More = {}): ProbeRequest => asking('GET', path, more)
export const put = (path: string, more: More = {}): ProbeRequest => asking('PUT', path, more)
export const post = (path: string, body: object | string | undefined, more: More = {}): ProbeRequest =>
  asking('POST', path, { ...(body !== undefined && { body }), ...more })

export const again = (request: ProbeRequest, repeats = 1): ProbeRequest => ({ ...request, repeats })

export const text = 'Calibration'

const unknownOrganisation = { doom: 'unknown-organisation' } as const
export const fromNobody = { fromOrganisationId: NOBODY, toOrganisationId: '{companyId}', amount: FAR_ABOVE }

/** An allocation from an unknown organisation, so it is refused even if the rest is valid. */
export const allocating = (body: object | string = fromNobody, more: More = {}): ProbeRequest =>
  post('/allocations/new', body, { ...unknownOrganisation, ...more })

/** Another field than the amount is what is asked about, and the amount is refused in any case. */
export const impossible = (path: string, body: object = {}): ProbeRequest =>
  post(path, { amount: IMPOSSIBLE, ...body }, { doom: 'impossible-amount' })

/** Wrong in each field, which shows whether an error names them all. */
export const impossibleAllocation = impossible('/allocations/new')

export const lists = {
  sendMoney: get('/send-money/all?companyId={companyId}'),
  till: get('/till/all?companyId={companyId}'),
  paybill: get('/paybill/all'),
  stk: get('/stk/all'),
  bankPayouts: get('/bank/payout/all'),
  bankCollections: get('/bank/collection/all'),
}
export const allLists = Object.values(lists)
export const subAccounts = get('/multiaccount/organisation/all')
export const breakdown = get('/multiaccount/wallet/total/breakdown')

/** `repeats` counts earlier logins of this run, so that each login is sent. */
export const login = (repeats = 0): ProbeRequest =>
  post(
    '/api/v1/get-token',
    { apiKey: '{apiKey}', apiSecret: '{apiSecret}' },
    { asker: 'nobody', logsIn: true, repeats },
  )

/** A small payment to the merchant's own phone, with the fields of `more`. Equal payments are made once. */
export const paying = (more: object = {}, how: More = {}): ProbeRequest =>
  post(
    '/send-money',
    {
      phoneNumber: '{kenyanPhone}',
      amount: '{amount}',
      remarks: text,
      occasion: text,
      callbackUrl: '{receiver}/paid',
      referenceId: 'mfano-{run}',
      ...more,
    },
    { essential: 'a payment', ...how },
  )

/** A checkout session, with the fields of `more`. */
export const creating = (more: object = {}, how: More = {}): ProbeRequest =>
  post(
    '/checkout-sessions',
    {
      amount: '{amount}',
      currency: 'KES',
      description: text,
      successUrl: '{receiver}/success',
      cancelUrl: '{receiver}/cancel',
      paymentMethods: ['CARD', 'MPESA_STK'],
      ...more,
    },
    { essential: 'a session', ...how },
  )

/** Reads the session that the first step made. */
export const session = (more: More = {}): ProbeRequest => get('/checkout-sessions/{0.id}', more)

export const readingTanzanian = (requestId: string): ProbeRequest =>
  get(`/api/v1/tz/spending/single?requestId=${requestId}`, { headers: { 'device-id': 'mfano-calibrate' } })
