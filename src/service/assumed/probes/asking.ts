/** Requests that several probes share, and how their answers are read. Equal requests are sent once. */

import { errorParts } from '../../../core/model/refusal.ts'
import { type ProbeAccount, type ProbeRequest, type SeenAnswer, type Untold, untold } from './asked-by.ts'

// Requests that several probes share. Equal requests are sent once, so sharing saves calls to the service.

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
const allocationFields = ['fromOrganisationId', 'toOrganisationId', 'amount'] as const

export const NOWHERE = 'https://merchant.example/mfano-calibrate'

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

export const checkoutOf = (account: ProbeAccount, paymentMethods = ['CARD', 'MPESA_STK']) => ({
  amount: account.amount,
  currency: 'KES',
  description: 'Calibration',
  successUrl: `${account.receiver ?? NOWHERE}/success`,
  cancelUrl: `${account.receiver ?? NOWHERE}/cancel`,
  paymentMethods,
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

// Reads the answers of probes, in any of the published error forms.

/** The request was refused because its form is invalid. */
const OF_FORM = [400, 406, 413, 415, 422]
/** The form was valid; the request was refused for its content. */
const BEYOND_FORM = [402, 403, 404, 409, 423]

export const isRefusedForForm = ({ status }: SeenAnswer): boolean => OF_FORM.includes(status)
const passedChecks = ({ status }: SeenAnswer): boolean => BEYOND_FORM.includes(status)
export const isDone = ({ status }: SeenAnswer): boolean => status >= 200 && status < 300

function isNamed({ body }: SeenAnswer, field: string): boolean {
  if (typeof body?.errors === 'object' && body.errors !== null) return field in body.errors
  const { message, details } = errorParts(body)
  // Errors repeat sent values in quotes; those are no field names.
  const said = `${message}; ${details}`.replaceAll(/"[^"]*"/g, '')
  return new RegExp(`(?<![\\w.])${field.replaceAll('.', '\\.')}(?!\\w)`).test(said)
}

/** Whether an error lists every invalid field: a request with several must get at least two of them named. */
function namesAll(several: SeenAnswer | undefined): boolean {
  return several !== undefined && allocationFields.filter((field) => isNamed(several, field)).length > 1
}

/**
 * Whether a field was refused in a request that `alsoWrong` makes invalid in any case. A field that is not listed
 * counts as accepted only if the service lists every invalid field.
 */
export function isRefused(
  asked: SeenAnswer | undefined,
  field: string,
  also: { wrong: string; several: SeenAnswer | undefined },
): boolean | Untold | undefined {
  if (!asked) return undefined
  // Only the wallet is left to refuse it.
  if (asked.status === 402) return false
  if (!isRefusedForForm(asked)) return undefined
  if (isNamed(asked, field)) return true
  if (!isNamed(asked, also.wrong)) return undefined
  if (namesAll(also.several)) return false
  return untold('the service names one problem at a time, and named another')
}

export function isTaken(asked: SeenAnswer | undefined, inOrder: SeenAnswer | undefined): boolean | Untold | undefined {
  if (!asked || !inOrder) return undefined
  if (!passedChecks(inOrder))
    return untold(`a request in order that names an unknown organisation was answered ${inOrder.status}`)
  if (isRefusedForForm(asked)) return false
  return asked.status === inOrder.status ? true : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
export type ListedRecord = any

export function recordsOf(seen: SeenAnswer | undefined): ListedRecord[] {
  const listed = seen?.status === 200 ? (Array.isArray(seen.body) ? seen.body : seen.body?.data) : undefined
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'object' && one !== null) : []
}

/** Decodes the payload of a token, without its signature. */
export function tokenClaims(seen: SeenAnswer | undefined): ListedRecord {
  const token = seen?.body?.data?.access_token
  if (typeof token !== 'string') return undefined
  try {
    return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return undefined
  }
}

export function stampUs(text: unknown): number | undefined {
  const parsed = typeof text === 'string' ? /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z?$/.exec(text) : null
  if (!parsed) return undefined
  return Date.parse(`${parsed[1]}Z`) * 1000 + Number((parsed[2] ?? '').padEnd(6, '0').slice(0, 6))
}

// Collects the records of an account's lists from all answers.

export const accountHas = (what: string) => untold(`the account has ${what}`)

export const recordsOfAll = (seen: readonly SeenAnswer[]): ListedRecord[] => seen.flatMap(recordsOf)

const LIST_PATH = /^\/api\/sandbox\/v1\/(?:send-money|till|paybill|stk|bank\/payout|bank\/collection)\/all(?:\?|$)/

export const recordsListed = (seen: SeenAnswer): ListedRecord[] =>
  seen.request.method === 'GET' && LIST_PATH.test(seen.request.path) ? recordsOf(seen) : []

export const isPaidIn = (prefix: string) => (record: ListedRecord) =>
  typeof record.phoneNumber === 'string' && record.phoneNumber.replace('+', '').startsWith(prefix)
