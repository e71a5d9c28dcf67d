/** Requests that several probes share. Equal requests are sent once, so sharing saves calls to the service. */
import { type ProbeAccount, type ProbeRequest, type SeenAnswer, type Untold, untold } from './asked-by.ts'

export const API = '/api/sandbox/v1'

export const NOBODY = '00000000-0000-4000-8000-0000000bad1d'
/** More than any wallet holds, and too large for the service to count. */
export const IMPOSSIBLE = 9_000_000_000_000_000
/** More than any sandbox wallet holds, but small enough to count, so the amount itself is valid. */
export const FAR_ABOVE = 900_000_000_000

export const get = (path: string, more: Partial<ProbeRequest> = {}): ProbeRequest => ({ method: 'GET', path, ...more })

export const post = (path: string, body: object, more: Partial<ProbeRequest> = {}): ProbeRequest => ({
  method: 'POST',
  path,
  body,
  ...more,
})

/** An allocation from an unknown organisation, so it is refused even if the rest is valid. */
export function fromNobody({ companyId }: ProbeAccount): {
  fromOrganisationId: string
  toOrganisationId: string
  amount: number
} {
  return { fromOrganisationId: NOBODY, toOrganisationId: companyId, amount: FAR_ABOVE }
}

const ALLOCATE = `${API}/allocations/new`

export const inOrder = (account: ProbeAccount): ProbeRequest =>
  post(ALLOCATE, fromNobody(account), { doom: 'unknown-organisation' })

export const allocatingFromNobody = (account: ProbeAccount, changed: object): ProbeRequest =>
  post(ALLOCATE, { ...fromNobody(account), ...changed }, { doom: 'unknown-organisation' })

export function allocatingBytes(
  account: ProbeAccount,
  written: (json: string) => Uint8Array,
  more: Partial<ProbeRequest> = {},
): ProbeRequest {
  const body = written(JSON.stringify(fromNobody(account)))
  return { method: 'POST', path: ALLOCATE, body, doom: 'unknown-organisation', ...more }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Wrong in each field, which shows whether an error names them all. */
export const impossibleAllocation: ProbeRequest = post(ALLOCATE, { amount: IMPOSSIBLE }, { doom: 'impossible-amount' })
export const allocationFields = ['fromOrganisationId', 'toOrganisationId', 'amount'] as const

const NOWHERE = 'https://merchant.example/mfano-calibrate'

export const impossibleTill = (changed: object): ProbeRequest =>
  post(
    `${API}/till`,
    {
      businessNumber: '123456',
      amount: IMPOSSIBLE,
      remarks: 'Calibration',
      occasion: 'Calibration',
      callbackUrl: NOWHERE,
      ...changed,
    },
    { doom: 'impossible-amount' },
  )

export const impossibleCheckout: ProbeRequest = post(
  `${API}/checkout-sessions`,
  { amount: IMPOSSIBLE },
  { doom: 'impossible-amount' },
)

export const checkoutOf = (account: ProbeAccount, amount: number) => ({
  amount,
  currency: 'KES',
  description: 'Calibration',
  successUrl: `${account.receiver ?? NOWHERE}/success`,
  cancelUrl: `${account.receiver ?? NOWHERE}/cancel`,
  paymentMethods: ['CARD', 'MPESA_STK'],
})

export const listReads = {
  sendMoney: ({ companyId }: ProbeAccount) => get(`${API}/send-money/all?companyId=${companyId}`),
  till: ({ companyId }: ProbeAccount) => get(`${API}/till/all?companyId=${companyId}`),
  paybill: () => get(`${API}/paybill/all`),
  stk: () => get(`${API}/stk/all`),
  bankPayouts: () => get(`${API}/bank/payout/all`),
  bankCollections: () => get(`${API}/bank/collection/all`),
  subAccounts: () => get(`${API}/multiaccount/organisation/all`),
  breakdown: () => get(`${API}/multiaccount/wallet/total/breakdown`),
} as const

export const allLists = (account: ProbeAccount): ProbeRequest[] => [
  listReads.sendMoney(account),
  listReads.till(account),
  listReads.paybill(),
  listReads.stk(),
  listReads.bankPayouts(),
  listReads.bankCollections(),
]

/** `repeats` counts earlier logins of this run, so that each login is sent. */
export const login = ({ apiKey, apiSecret }: ProbeAccount, repeats = 0): ProbeRequest =>
  post('/api/v1/get-token', { apiKey, apiSecret }, { asker: 'nobody', logsIn: true, ...(repeats > 0 && { repeats }) })

export const malformedId: ProbeRequest = get(`${API}/send-money/all?companyId=none`)

export const referenceOf = ({ run }: ProbeAccount): string => `mfano-${run}`

/** A small payment to the merchant's own phone, with the fields of `more`. Equal payments are made once. */
export const paying = (account: ProbeAccount, more: object = {}, how: Partial<ProbeRequest> = {}): ProbeRequest =>
  post(
    `${API}/send-money`,
    {
      phoneNumber: phoneIn(account, '254'),
      amount: account.amount,
      remarks: 'Calibration',
      occasion: 'Calibration',
      callbackUrl: `${account.receiver ?? NOWHERE}/paid`,
      referenceId: referenceOf(account),
      ...more,
    },
    how,
  )

export const phoneIn = ({ to }: ProbeAccount, prefix: string): string =>
  to.find((phone) => phone.startsWith(prefix)) ?? ''

export const payingBank = (account: ProbeAccount, path: string): ProbeRequest => {
  const [bankCode, creditAccountNumber] = (account.bankAccount ?? '').split('/')
  return post(`${API}/bank/payout/new`, {
    bankCode,
    beneficiaryName: 'Nobody Of That Name',
    creditAccountNumber,
    amount: account.amount,
    narration: 'Calibration',
    callbackUrl: `${account.receiver ?? NOWHERE}${path}`,
  })
}

export const untoldOfPayment = (seen: SeenAnswer | undefined): Untold =>
  untold(`a payment was answered ${seen?.status}`)
